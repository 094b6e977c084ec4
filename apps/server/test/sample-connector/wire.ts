import { z } from 'zod'
import { word } from '../../src/modules/providers/json.ts'

/** The answer to a charge and to a look-up. */
export const SampleCharge = z.object({ id: word, key: word, status: word, amount: word, currency: word })
export type SampleCharge = z.infer<typeof SampleCharge>

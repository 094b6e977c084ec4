import { z } from 'zod'
import { word } from '../json.ts'

/** The reply to an initiated payment and to a look-up. */
export const Payment = z.object({
  referenceNumber: word,
  merchantReference: word,
  pollUrl: word,
  redirectUrl: word,
  transactionStatus: word,
  /** The code of an InnBucks payment. */
  transactionMetadata: z
    .object({ code: word })
    .nullish()
    .transform((value) => value ?? null)
    .catch(null),
  amountDetails: z
    .object({ currencyCode: word, merchantAmount: word })
    .nullish()
    .transform((value) => value ?? null)
    .catch(null),
})
export type Payment = z.infer<typeof Payment>

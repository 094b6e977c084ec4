import { z } from 'zod'
import { word } from '../json.ts'

const Amount = z.object({ amount: word, currency: word })

/**
 * The reply to a payment or a look-up. The look-up has `reference`, `status` and an amount with its currency; a reply to a payment, if it
 * has a body, has `sourceReference`, `transactionStatus`, and amount and currency side by side.
 */
export const Transaction = z.object({
  sourceReference: word,
  reference: word,
  status: word,
  transactionStatus: word,
  amount: z.union([Amount, word.transform((amount) => ({ amount, currency: null }))]),
  currency: word,
  ecocashReference: word,
  responseMessage: word,
  message: word,
})
/** The body of a refusal. Clients of the API read its sentence from these fields. */
export const Refusal = z.object({ message: word, responseMessage: word, error: word })

export type Transaction = z.infer<typeof Transaction>

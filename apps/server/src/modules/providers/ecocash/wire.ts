import { z } from 'zod'
import { optionalObject, word } from '../json.ts'

/**
 * The reply to a charge, a query or a refund, in both versions: the legacy gateway has `transactionOperationStatus` and `ecocashReference`,
 * the developer portal `status` and `transactionId`. The identities of customer and merchant are left out, because the legacy gateway swaps
 * them in query replies.
 */
export const AmountTransaction = z.object({
  clientCorrelator: word,
  transactionOperationStatus: word,
  status: word,
  statusMessage: word,
  responseMessage: word,
  message: word,
  ecocashReference: word,
  transactionId: word,
  amount: word,
  currency: word,
  currencyCode: word,
  paymentAmount: optionalObject({
    charginginformation: optionalObject({ amount: word, currency: word }),
  }).transform((value) => value?.charginginformation ?? null),
})
export type AmountTransaction = z.infer<typeof AmountTransaction>

/** The body of a refusal. Neither gateway documents its form, so the code is read from every field that may contain it. */
export const Refusal = z.object({
  errorCode: word,
  code: word,
  statusCode: word,
  status: word,
  error: z
    .union([z.string(), z.object({ code: word, message: word })])
    .nullish()
    .catch(null),
  errorMessage: word,
  statusMessage: word,
  message: word,
})

/** The legacy gateway answers a query for an unknown charge with 200 and every field null. */
export function isAllNull(body: Record<string, unknown>): boolean {
  const values = Object.values(body)
  return values.length > 0 && values.every(isNothing)
}

function isNothing(value: unknown): boolean {
  if (value === null) return true
  return typeof value === 'object' && Object.values(value as object).every(isNothing)
}

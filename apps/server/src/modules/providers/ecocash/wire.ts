import { z } from 'zod'

/** A field that may be absent, null or of another type than documented: an unreadable value counts as absent. */
const word = z
  .union([z.string(), z.boolean().transform(String)])
  .nullish()
  .transform((value) => value ?? null)
  .catch(null)

const ChargingInformation = z
  .object({ amount: word, currency: word })
  .nullish()
  .transform((value) => value ?? null)
  .catch(null)

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
  paymentAmount: z
    .object({ charginginformation: ChargingInformation })
    .nullish()
    .transform((value) => value?.charginginformation ?? null)
    .catch(null),
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

/** The compiler's library lacks the reviver's third argument, the source text of a value. */
const parseJson = JSON.parse as (
  text: string,
  reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
) => unknown

/** A JSON object whose numbers are the texts that were sent, so that no amount is ever a float. */
export function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value = parseJson(text, (_key, item, { source }) => (typeof item === 'number' ? source : item))
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** The legacy gateway answers a query for an unknown charge with 200 and every field null. */
export function isAllNull(body: Record<string, unknown>): boolean {
  const values = Object.values(body)
  return values.length > 0 && values.every(isNothing)
}

function isNothing(value: unknown): boolean {
  if (value === null) return true
  return typeof value === 'object' && Object.values(value as object).every(isNothing)
}

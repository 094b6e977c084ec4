import { z } from 'zod'

/** A field that may be absent, null or of another type than documented: whatever cannot be read counts as not said. */
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
 * The reply to a charge, a query or a refund, in both vocabularies: the legacy gateway says `transactionOperationStatus` and
 * `ecocashReference`, the developer portal `status` and `transactionId`. The customer's and the merchant's identity are left out on
 * purpose: the legacy gateway swaps them in query replies.
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

/** The body of a refusal. Neither gateway publishes its shape, so the code is looked for in every field that could carry it. */
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

/** The reviver's third argument, the text that stood in the document, is not in the compiler's library yet. */
const parseJson = JSON.parse as (
  text: string,
  reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
) => unknown

/** A JSON object whose every number is still the text that was sent, so that an amount never passes through a float. */
export function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value = parseJson(text, (_key, item, { source }) => (typeof item === 'number' ? source : item))
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** The legacy gateway answers a query for a charge that it does not know with 200 and every field null. */
export function isAllNull(body: Record<string, unknown>): boolean {
  const values = Object.values(body)
  return values.length > 0 && values.every(isNothing)
}

function isNothing(value: unknown): boolean {
  if (value === null) return true
  return typeof value === 'object' && Object.values(value as object).every(isNothing)
}

import { z } from 'zod'

/** A field that may be absent, null or of another type than documented: an unreadable value counts as absent. */
export const word = z
  .union([z.string(), z.boolean().transform(String)])
  .nullish()
  .transform((value) => value ?? null)
  .catch(null)

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

import { z } from 'zod'
import type { HttpAnswer, HttpRequest } from './http-transport.ts'

/** A field that may be absent, null or of another type than documented: an unreadable value counts as absent. */
export const word = z
  .union([z.string(), z.boolean().transform(String)])
  .nullish()
  .transform((value) => value ?? null)
  .catch(null)

/** The types of the compiler lack the reviver's third argument, the source text of a value. */
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

/** An object that may be absent, null or of another type than documented. */
export const optionalObject = <T extends z.ZodRawShape>(shape: T) =>
  z
    .object(shape)
    .nullish()
    .transform((value) => value ?? null)
    .catch(null)

export interface JsonAnswer {
  readonly status: number
  /** Null when the answer is not a JSON object: an empty body, or the page of a firewall on the way. */
  readonly body: Record<string, unknown> | null
  readonly isEmpty: boolean
}

export const readJson = ({ status, text }: HttpAnswer): JsonAnswer => ({
  status,
  body: parseObject(text),
  isEmpty: text.trim() === '',
})

export const isSuccess = ({ status }: Pick<JsonAnswer, 'status'>): boolean => status >= 200 && status < 300

type ReadableAnswer = JsonAnswer & { readonly body: Record<string, unknown> }

export const hasBody = (answer: JsonAnswer): answer is ReadableAnswer =>
  isSuccess(answer) && answer.body !== null

export const jsonBody = (value: object): NonNullable<HttpRequest['body']> => ({
  type: 'application/json',
  text: JSON.stringify(value),
})

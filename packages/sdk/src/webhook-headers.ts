import { kindOf } from './check.ts'

/** The request is not from your gateway: its signature is not valid, or the request is too old. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  /** The status with which Express and Fastify answer the request when the error is not caught. */
  readonly statusCode = 400

  constructor(reason: string) {
    super(`The webhook could not be verified: ${reason}`)
  }
}

/** The headers of a request: a `Headers` object, Node's object, AWS Lambda's values or lists of values; names in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | readonly (readonly [string, string])[]

/** The value of a header. */
export function headerOf(headers: unknown, name: string): string {
  const values = valuesOf(headers, name).map((value) => value.trim())
  const found = [...new Set(values)].filter((value) => value !== '')
  if (found.length === 0) throw new WebhookVerificationError(`the header ${name} is missing`)
  return found.join(' ')
}

function valuesOf(headers: unknown, name: string): string[] {
  return entriesOf(headers).flatMap(([key, value]) => {
    if (typeof key !== 'string' || key.toLowerCase() !== name) return []
    return [value].flat().filter((each): each is string => typeof each === 'string')
  })
}

function entriesOf(headers: unknown): [unknown, unknown][] {
  if (typeof headers !== 'object' || headers === null) {
    throw new TypeError(
      `verifyWebhook needs the headers of the request, such as request.headers, not ${kindOf(headers)}`,
    )
  }
  if (Symbol.iterator in headers) return pairsOf([...(headers as Iterable<unknown>)])
  const { get } = headers as { get?: unknown }
  if (typeof get === 'function') {
    return ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
      name,
      get.call(headers, name),
    ])
  }
  const { headers: inner } = headers as { headers?: unknown }
  // The whole request was passed.
  return typeof inner === 'object' && inner !== null ? entriesOf(inner) : Object.entries(headers)
}

/** Entries, or Node's `rawHeaders`: names and values in turn. */
function pairsOf(items: unknown[]): [unknown, unknown][] {
  if (items.every(Array.isArray)) return items as [unknown, unknown][]
  return items.flatMap((name, index) =>
    index % 2 === 0 ? [[name, items[index + 1]] as [unknown, unknown]] : [],
  )
}

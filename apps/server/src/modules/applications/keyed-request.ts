import { createHash } from 'node:crypto'
import { idempotencyKeyPattern } from '@muripo/contract/payments'
import type { FastifyRequest } from 'fastify'
import { invalidField } from '../../platform/errors.ts'

/** The request of a caller under its Idempotency-Key. */
export interface KeyedRequest {
  readonly key: string
  readonly hash: Buffer
  /** Whether a stored hash is the hash of this request. */
  matches(kept: Buffer): boolean
}

/** A caller's request: as it was sent, and as the contract parses it. */
export interface Asked {
  readonly sent: unknown
  readonly input: object
}

export const idempotencyKeyOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined => {
  const key = headers['idempotency-key']
  return Array.isArray(key) ? key.join() : key
}

/**
 * The hash is of the body as it was sent, so that a later release that adds a field with a default recognises the same request. Keys of
 * releases that hashed the parsed body are recognised too.
 * @param call such as `POST /payments`: a key that is used with another call belongs to another request
 * @throws AppError validation_failed
 */
export function keyedRequest(
  header: string | undefined,
  call: string,
  { sent, input }: Asked,
): KeyedRequest | null {
  if (header === undefined) return null
  const hash = hashOf(call, sent)
  return {
    key: readKey(header),
    hash,
    matches: (kept) => kept.equals(hash) || kept.equals(hashOf(call, input)),
  }
}

const hashOf = (call: string, body: unknown): Buffer =>
  createHash('sha256')
    .update(`${call}\n${JSON.stringify(inOrder(body))}`)
    .digest()

/** The same result for the same names and values in any order. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map((name) => [name, inOrder(value[name as keyof typeof value])]))
}

/** The draft standard writes the key as a quoted string; most clients omit the quotes. */
function readKey(header: string): string {
  const key = header.trim().replace(/^"(.*)"$/, '$1')
  if (!idempotencyKeyPattern.test(key)) {
    throw invalidField('Idempotency-Key', 'The Idempotency-Key must be 1 to 255 visible characters')
  }
  return key
}

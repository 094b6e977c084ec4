import { hash } from 'node:crypto'
import type { Id } from '@muripo/contract/ids'
import { idempotencyKeyPattern } from '@muripo/contract/payments'
import type { FastifyRequest } from 'fastify'
import { AppError, invalidField } from '../../platform/errors.ts'
import type { KeyOwner } from '../applications/index.ts'

/** The response to a request. Under an Idempotency-Key, the same request receives it again to the byte. */
export interface IdempotentResponse {
  readonly status: 201
  readonly json: string
  readonly replayed: boolean
}

/** A request under an Idempotency-Key, as the columns of the payment or refund that it creates. */
export interface KeyedRequest {
  /** Of the application and its key. */
  readonly idempotency_checksum: string
  /** Of the body as it was sent, so that a later release that adds a field with a default recognises the same request. */
  readonly request_checksum: string
}

export const idempotencyKeyOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined => {
  const key = headers['idempotency-key']
  return Array.isArray(key) ? key.join() : key
}

/** @throws AppError validation_failed */
export function keyedRequest(
  { applicationId }: Pick<KeyOwner, 'applicationId'>,
  header: string | undefined,
  sent: unknown,
): KeyedRequest | null {
  if (header === undefined) return null
  return {
    idempotency_checksum: idempotencyChecksum(applicationId, readKey(header)),
    request_checksum: checksum(JSON.stringify(inOrder(sent))),
  }
}

export const idempotencyChecksum = (applicationId: Id<'app'>, key: string): string =>
  checksum(`${applicationId} ${key}`)

/** The columns are of the type uuid: half of a SHA-256 has its length, and is found in an index as fast as an id. */
const checksum = (text: string): string => hash('sha256', text, 'hex').slice(0, 32)

/** The same result for the same names and values in any order. */
export function inOrder<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value).map(([name, each]) => [name, inOrder(each)] as const)
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1))) as Value
}

/** The draft standard writes the key as a quoted string; most clients omit the quotes. */
function readKey(header: string): string {
  const key = header.trim().replace(/^"(.*)"$/, '$1')
  if (!idempotencyKeyPattern.test(key)) {
    throw invalidField('Idempotency-Key', 'The Idempotency-Key must be 1 to 255 visible characters')
  }
  return key
}

export const replayedHeader = ({ replayed }: Pick<IdempotentResponse, 'replayed'>): Record<string, string> =>
  replayed ? { 'idempotency-replayed': 'true' } : {}

export const requestInFlight = (): AppError =>
  new AppError('idempotency_in_flight', { headers: { 'retry-after': '1' } })

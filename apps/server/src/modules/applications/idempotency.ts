import type { Id } from '@muripo/contract/ids'
import type { Ctx } from '../../platform/ctx.ts'
import { isLockTaken, type Tx } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'
import { confirmKey } from './authenticate.ts'
import type { KeyedRequest } from './keyed-request.ts'
import {
  claimKey,
  findIdempotencyRecord,
  type IdempotencyRecord,
  RECORD_LIFE_MS,
  saveResponse,
} from './store-idempotency.ts'
import type { KeyOwner } from './store-keys.ts'

/** The response to a request. Under an Idempotency-Key, the same request receives it again to the byte. */
export interface IdempotentResponse {
  readonly status: number
  readonly json: string
  readonly replayed: boolean
}

/** An operation in two steps: a process that ends between them leaves nothing to be done twice. */
export interface IdempotentOperation<Prefix extends string> {
  readonly kind: { readonly prefix: Prefix }
  /** How long the process that has committed has to respond. */
  readonly responseMs: number
  /**
   * Commits the effect, under this id. `claim` comes first in its transaction: it lets one request of an Idempotency-Key through, and
   * only while the application's key is active.
   */
  commit(id: Id<Prefix>, claim: (tx: Tx) => Promise<void>): Promise<void>
  /** The response to the effect under this id. Another process asks for it when the first one ended before its response. */
  respond(id: Id<Prefix>): Promise<{ status: number; json: string }>
}

class KeyAlreadyClaimed extends Error {}

/**
 * Runs an operation once for each Idempotency-Key. The commit of the effect claims the key, and a repeated request receives the first
 * response. An operation that fails before its commit leaves the key free.
 * @throws AppError invalid_key, application_inactive, idempotency_mismatch, idempotency_in_flight, and what `operation` throws
 */
export async function executeIdempotent<Prefix extends string>(
  ctx: Ctx,
  caller: KeyOwner,
  request: KeyedRequest | null,
  operation: IdempotentOperation<Prefix>,
): Promise<IdempotentResponse> {
  const known = request && (await findIdempotencyRecord(ctx.db.kysely, caller, request.key))
  if (known && !isExpired(known)) return replay(ctx, caller, request, known, operation)

  const id = ctx.ids.next(operation.kind)
  const claim = async (tx: Tx) => {
    if (request && !(await claimKey(tx, caller, request, uuidOf(id)))) throw new KeyAlreadyClaimed()
    await confirmKey(tx, caller)
  }
  try {
    await operation.commit(id, claim)
  } catch (error) {
    if (request === null) throw error
    // Another request with this key has held its lock for longer than a session waits.
    if (isLockTaken(error)) throw requestInFlight()
    if (!(error instanceof KeyAlreadyClaimed)) throw error
    const first = await findIdempotencyRecord(ctx.db.kysely, caller, request.key)
    // The record was deleted between the two statements: it was thirty days old, and the key is free.
    if (first === null) return executeIdempotent(ctx, caller, request, operation)
    return replay(ctx, caller, request, first, operation)
  }
  const answer = await operation.respond(id)
  return request ? recordResponse(ctx, caller, request, id, answer) : { ...answer, replayed: false }
}

/** @throws AppError when the key was used with another request, or the first request has no response yet */
async function replay<Prefix extends string>(
  ctx: Ctx,
  caller: KeyOwner,
  request: KeyedRequest,
  record: IdempotencyRecord,
  operation: IdempotentOperation<Prefix>,
): Promise<IdempotentResponse> {
  const { answer, ageMs, subject } = matchingRecord(request, record)
  if (answer) return { ...answer, replayed: true }
  if (ageMs < operation.responseMs) throw requestInFlight()
  const id = idFrom(operation.kind, subject)
  return { ...(await recordResponse(ctx, caller, request, id, await operation.respond(id))), replayed: true }
}

/** Two processes that respond to one request both return the response that was recorded first. */
async function recordResponse(
  ctx: Ctx,
  caller: KeyOwner,
  request: KeyedRequest,
  id: Id<string>,
  answer: { status: number; json: string },
): Promise<IdempotentResponse> {
  if (await saveResponse(ctx.db.kysely, caller, request.key, uuidOf(id), answer))
    return { ...answer, replayed: false }
  const first = await findIdempotencyRecord(ctx.db.kysely, caller, request.key)
  return { ...(first?.answer && first.subject === uuidOf(id) ? first.answer : answer), replayed: true }
}

/** @throws AppError idempotency_mismatch when the key was used with another request */
export function matchingRecord(request: KeyedRequest, record: IdempotencyRecord): IdempotencyRecord {
  if (!request.matches(record.requestHash)) throw new AppError('idempotency_mismatch')
  return record
}

export const replayedHeader = ({ replayed }: IdempotentResponse): Record<string, string> =>
  replayed ? { 'idempotency-replayed': 'true' } : {}

const isExpired = ({ ageMs }: IdempotencyRecord): boolean => ageMs >= RECORD_LIFE_MS

export const requestInFlight = (): AppError =>
  new AppError('idempotency_in_flight', { headers: { 'retry-after': '1' } })

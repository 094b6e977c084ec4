import type { Id } from '@muripo/contract/ids'
import type { Ctx } from '../../platform/ctx.ts'
import { isLockTaken, type Tx } from '../../platform/db/database.ts'
import { AppError, invariant } from '../../platform/errors.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'
import { confirmKey } from './authenticate.ts'
import type { KeyedRequest } from './keyed-request.ts'
import { ANSWERS_KEPT_MS, claimKey, findKept, type Kept, keepAnswer } from './store-idempotency.ts'
import type { KeyOwner } from './store-keys.ts'

/** An answer as it goes out and, under an Idempotency-Key, as it will go out again to the byte. */
export interface KeptAnswer {
  readonly status: number
  readonly json: string
  readonly replayed: boolean
}

/** What a request does, in two steps, so that nothing is done twice whenever the process ends. */
export interface Work<Prefix extends string> {
  readonly kind: { readonly prefix: Prefix }
  /** How long the process that has committed has to answer. */
  readonly answerMs: number
  /**
   * Commits what is done, under this id. `claim` comes first in its transaction: it lets one request of a key through, and only
   * while the application's key is in force.
   */
  commit(id: Id<Prefix>, claim: (tx: Tx) => Promise<void>): Promise<void>
  /** The answer to what was committed under this id: asked by another process if the first one did not live to answer. */
  answer(id: Id<Prefix>): Promise<{ status: number; json: string }>
}

class KeyKnown extends Error {}

/**
 * Does what a caller asks, once for each Idempotency-Key; the key is claimed in the commit of what is done, and the first answer is
 * given again to the byte. What fails before its commit leaves no trace of the key.
 * @throws AppError invalid_key, application_inactive, idempotency_mismatch, idempotency_in_flight, and what `work` throws
 */
export async function once<Prefix extends string>(
  ctx: Ctx,
  caller: KeyOwner,
  request: KeyedRequest | null,
  work: Work<Prefix>,
): Promise<KeptAnswer> {
  const known = request && (await findKept(ctx.db.kysely, caller, request.key))
  if (known && !isOver(known)) return answerAgain(ctx, caller, request, known, work)

  const id = ctx.ids.next(work.kind)
  const claim = async (tx: Tx) => {
    if (request && !(await claimKey(tx, caller, request, uuidOf(id)))) throw new KeyKnown()
    await confirmKey(tx, caller)
  }
  try {
    await work.commit(id, claim)
  } catch (error) {
    if (request === null) throw error
    // Another request with this key has held its lock for longer than a session waits.
    if (isLockTaken(error)) throw inFlight()
    if (!(error instanceof KeyKnown)) throw error
    const first = await findKept(ctx.db.kysely, caller, request.key)
    // The record was deleted between the two statements: it was thirty days old, and the key is free.
    if (first === null) return once(ctx, caller, request, work)
    return answerAgain(ctx, caller, request, first, work)
  }
  const answer = await work.answer(id)
  return request ? settle(ctx, caller, request, id, answer) : { ...answer, replayed: false }
}

/** @throws AppError when the key was used with another request, or the first one has not been answered */
async function answerAgain<Prefix extends string>(
  ctx: Ctx,
  caller: KeyOwner,
  request: KeyedRequest,
  kept: Kept,
  work: Work<Prefix>,
): Promise<KeptAnswer> {
  if (!request.matches(kept.requestHash)) throw new AppError('idempotency_mismatch')
  if (kept.answer) return { ...kept.answer, replayed: true }
  if (kept.ageMs < work.answerMs) throw inFlight()
  invariant(kept.subject !== null, 'what is not answered names what was done')
  const id = idFrom(work.kind, kept.subject)
  return { ...(await settle(ctx, caller, request, id, await work.answer(id))), replayed: true }
}

/** Of two processes that answer for one request, both give the answer of the first. */
async function settle(
  ctx: Ctx,
  caller: KeyOwner,
  request: KeyedRequest,
  id: Id<string>,
  answer: { status: number; json: string },
): Promise<KeptAnswer> {
  if (await keepAnswer(ctx.db.kysely, caller, request.key, uuidOf(id), answer))
    return { ...answer, replayed: false }
  const first = await findKept(ctx.db.kysely, caller, request.key)
  return { ...(first?.answer && first.subject === uuidOf(id) ? first.answer : answer), replayed: true }
}

export const replayedHeader = ({ replayed }: KeptAnswer): Record<string, string> =>
  replayed ? { 'idempotency-replayed': 'true' } : {}

const isOver = ({ ageMs }: Kept): boolean => ageMs >= ANSWERS_KEPT_MS

export const inFlight = (): AppError =>
  new AppError('idempotency_in_flight', { headers: { 'retry-after': '1' } })

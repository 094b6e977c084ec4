import type { Id } from '@muripo/contract/ids'
import { isLockTaken, type Queryable, type Tx, violatedConstraint } from '../../platform/db/database.ts'
import { AppError, invariant } from '../../platform/errors.ts'
import { idFrom } from '../../platform/ids.ts'
import type { KeyOwner } from '../applications/index.ts'
import { CALL_LEASE_MS } from '../providers/index.ts'
import type { PaymentsCtx } from './context.ts'
import { type IdempotentResponse, type KeyedRequest, requestInFlight } from './idempotency.ts'
import { type AnsweredTable, findByKey, findResponse, saveResponse } from './store-idempotency.ts'

interface Executed<Prefix extends string> {
  readonly id: Id<Prefix>
  /** The request joined an earlier one that had no key. */
  readonly isRepetition?: boolean
}

/** A write that calls a provider. Its row stores the key, and the first response. */
export interface IdempotentWrite<Prefix extends string> {
  readonly table: AnsweredTable
  /** The kind of the row's id. */
  readonly kind: { readonly prefix: Prefix }
  /**
   * Commits the row and calls the provider. The transaction calls `refuseKnown` behind the lock that orders requests: the first request under
   * the key may have committed meanwhile.
   */
  readonly execute: (refuseKnown: (tx: Tx) => Promise<void>) => Promise<Executed<Prefix>>
  /** Renders the response from the row's present state. */
  readonly respond: (id: Id<Prefix>) => Promise<string>
}

/**
 * Executes a write once for each Idempotency-Key. The same request receives the first response again, and a request that writes no row
 * leaves the key free.
 * @param keyed null for a request without a key, which is executed each time
 * @throws AppError idempotency_mismatch, idempotency_in_flight, and the refusals of `execute`
 */
export async function executeIdempotent<Prefix extends string>(
  ctx: PaymentsCtx,
  caller: KeyOwner,
  keyed: KeyedRequest | null,
  { table, kind, execute, respond }: IdempotentWrite<Prefix>,
): Promise<Omit<IdempotentResponse, 'status'>> {
  if (keyed === null) {
    const { id, isRepetition = false } = await execute(async () => {})
    return { json: await respond(id), replayed: isRepetition }
  }

  const findKnown = async (db: Queryable): Promise<Id<Prefix> | null> => {
    const known = await findByKey(db, table, caller, keyed)
    if (known?.matches === false) throw new AppError('idempotency_mismatch')
    return known && idFrom(kind, known.id)
  }
  const refuseKnown = async (tx: Tx) => {
    if (await findKnown(tx)) throw new KeyKnown()
  }
  const findFirst = (id: Id<Prefix>) => findResponse(ctx.db.kysely, table, caller, id)
  /** Two processes that respond to one request both return the response that was recorded first. */
  const record = async (id: Id<Prefix>) => {
    const json = await respond(id)
    if (await saveResponse(ctx.db.kysely, table, caller, id, json)) return { json, replayed: false }
    return { json: (await findFirst(id))?.response ?? json, replayed: true }
  }
  const replay = async (id: Id<Prefix>) => {
    const first = await findFirst(id)
    invariant(first, 'rows with a response are never deleted')
    if (first.response !== null) return { json: first.response, replayed: true }
    // The process that has written the row may still respond.
    if (first.ageMs < CALL_LEASE_MS) throw requestInFlight()
    return { ...(await record(id)), replayed: true }
  }

  for (;;) {
    const known = await findKnown(ctx.db.kysely)
    if (known) return replay(known)
    try {
      const { id } = await execute(refuseKnown)
      return await record(id)
    } catch (error) {
      // Another request with this key, or for this payment, has held its lock for longer than a session waits.
      if (isLockTaken(error)) throw requestInFlight()
      if (!(error instanceof KeyKnown) && violatedConstraint(error) !== `${table}_by_key`) throw error
    }
  }
}

class KeyKnown extends Error {}

import { CallbackId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { databaseNow, databaseNowPlus } from '../../platform/db/database-time.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'

export interface StoredCallback {
  readonly id: CallbackId
  readonly provider: string
  readonly token: string
}

/** Copies of a callback that arrive sooner after it was handled are only counted. */
const COPY_PAUSE_MS = 60_000

/**
 * Stores a callback, or counts it as a copy of an earlier one with the same provider, token and body.
 * @returns the callback if it has to be handled now; null for a copy of one that is in work or was just handled
 */
export async function insertCallback(
  db: Database,
  callback: StoredCallback & { headers: object; body: Buffer },
  leaseMs: number,
): Promise<StoredCallback | null> {
  const { provider, token } = callback
  const isOver = sql`kept.processed_at <= ${databaseNowPlus(-COPY_PAUSE_MS)}`
  const leaseUntil = databaseNowPlus(leaseMs)
  // A callback in work is leased for no longer than this; one with a later time was postponed, and a copy makes it due.
  const isPostponed = sql`kept.processed_at is null and kept.next_attempt_at > ${leaseUntil}`
  const { rows } = await sql<{ id: string; begins: boolean }>`
    insert into provider_callbacks as kept (id, provider, token, headers, body, received_at, next_attempt_at)
    values (${uuidOf(callback.id)}, ${provider}, ${token}, ${JSON.stringify(callback.headers)}, ${callback.body}, ${databaseNow},
      ${leaseUntil})
    on conflict (provider, token, body_sha256) do update set
      copies = kept.copies + 1,
      last_received_at = greatest(kept.received_at, kept.last_received_at, excluded.received_at),
      next_attempt_at = case when ${isOver} or (${isPostponed}) then excluded.next_attempt_at else kept.next_attempt_at end,
      result = case when ${isOver} then null else kept.result end,
      processed_at = case when ${isOver} then null else kept.processed_at end
    returning id, processed_at is null and next_attempt_at = ${leaseUntil} as begins`.execute(db.kysely)
  const [row] = rows
  return row?.begins ? { id: idFrom(CallbackId, row.id), provider, token } : null
}

export type CallbackResult = 'applied' | 'unmatched' | 'unanswered'

export async function finishCallback(db: Database, id: CallbackId, result: CallbackResult): Promise<void> {
  await db.kysely
    .updateTable('provider_callbacks')
    .set({ result, processed_at: databaseNow })
    .where('id', '=', uuidOf(id))
    .execute()
}

/**
 * Postpones a callback by half of its age, within limits.
 * @returns whether it has waited for `untilMs` since its latest copy was received
 */
export async function postponeCallback(
  db: Database,
  id: CallbackId,
  { leastMs, mostMs, untilMs }: { leastMs: number; mostMs: number; untilMs: number },
): Promise<boolean> {
  const age = sql`(extract(epoch from ${databaseNow} - coalesce(last_received_at, received_at)) * 1000)::float8`
  const { rows } = await sql<{ is_over: boolean }>`
    update provider_callbacks set next_attempt_at = ${databaseNow} + interval '1 millisecond'
      * round(greatest(${leastMs}::float8, least(${age} / 2, ${mostMs}::float8, ${untilMs}::float8 - ${age})))
    where id = ${uuidOf(id)} and processed_at is null
    returning ${age} >= ${untilMs}::float8 as is_over`.execute(db.kysely)
  return rows[0]?.is_over ?? false
}

/**
 * Leases stored callbacks that are not handled: their process stopped, or the provider did not answer. Each is leased to one process for
 * `leaseMs`, and the longest waiting come first.
 */
export async function takeWaitingCallbacks(
  db: Database,
  leaseMs: number,
  limit: number,
): Promise<StoredCallback[]> {
  const { rows } = await sql<{ id: string; provider: string; token: string }>`
    update provider_callbacks set next_attempt_at = ${databaseNowPlus(leaseMs)}
    where id in (
      select id from provider_callbacks where processed_at is null and next_attempt_at <= ${databaseNow}
      order by next_attempt_at limit ${limit} for update skip locked)
    returning id, provider, token`.execute(db.kysely)
  return rows.map((row) => ({ id: idFrom(CallbackId, row.id), provider: row.provider, token: row.token }))
}

/** Adds callbacks with a forged token to the count of the day. */
export async function countRefusals(db: Database, provider: string, count: number): Promise<void> {
  await sql`
    insert into provider_callback_refusals as kept (provider, day, count)
    values (${provider}, (${databaseNow} at time zone 'UTC')::date, ${count})
    on conflict (provider, day) do update set count = kept.count + excluded.count`.execute(db.kysely)
}

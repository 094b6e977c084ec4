import { createHash } from 'node:crypto'
import { CallbackId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import { batched } from '../../platform/db/batcher.ts'
import { type Database, type Queryable, runPrepared } from '../../platform/db/database.ts'
import { databaseNow, databaseNowPlus } from '../../platform/db/database-time.ts'
import { firstUuidAt, idFrom, uuidOf } from '../../platform/ids.ts'
import { type DueRows, takeDue } from '../../platform/jobs/take-due.ts'

export interface StoredCallback {
  readonly id: CallbackId
  readonly provider: string
  readonly token: string
}

/** A copy of a callback that arrives within this time after the callback was handled is only counted. */
const COPY_PAUSE_MS = 60_000

/**
 * Stores a callback, or counts it as a copy of an earlier one with the same provider, token and body. Callbacks that arrive at the same
 * moment share a commit.
 * @returns the callback if it has to be handled now; null for a copy of one that is in progress or was just handled
 */
export const insertCallback = (
  db: Database,
  callback: Omit<Insertion, 'leaseMs' | 'key'>,
  leaseMs: number,
): Promise<StoredCallback | null> => {
  const digest = createHash('sha256').update(callback.body).digest('hex')
  return insertOne(db.kysely, { ...callback, leaseMs, key: keyOf({ ...callback, digest }) })
}

interface Insertion extends StoredCallback {
  readonly headers: object
  readonly body: Buffer
  readonly leaseMs: number
  readonly key: string
}

/** A row of the inbox, by the columns of its unique index. */
const keyOf = ({ provider, token, digest }: { provider: string; token: string; digest: string }): string =>
  `${provider} ${token} ${digest}`

/** A body has up to 64 KB. The scheduled look-ups replace a refused callback. */
const insertOne = batched(insertMany, { mostBytes: 16 * 1024 * 1024, bytesOf: ({ body }) => body.length })

/** A statement cannot change a row twice: copies of a callback in one batch are counted by another statement. */
async function insertMany(
  db: Queryable,
  callbacks: readonly Insertion[],
): Promise<(StoredCallback | null)[]> {
  const distinct = new Map(callbacks.toReversed().map((each) => [each.key, each]))
  const copies = callbacks.filter((each) => distinct.get(each.key) !== each)
  const begun = await insertDistinct(db, distinct)
  if (copies.length > 0) await insertMany(db, copies)
  return callbacks.map((each) => (distinct.get(each.key) === each && begun.get(each.key)) || null)
}

/** Rows are locked in the order of the unique index, so that two batches with the same callbacks cannot deadlock. */
async function insertDistinct(
  db: Queryable,
  distinct: ReadonlyMap<string, Insertion>,
): Promise<Map<string, StoredCallback>> {
  const callbacks = [...distinct.values()]
  const isOver = sql`kept.processed_at <= ${databaseNowPlus(-COPY_PAUSE_MS)}`
  // A callback in progress is leased for no longer than this. A callback with a later time was postponed, and a copy makes it due.
  const isPostponed = sql`kept.processed_at is null and kept.next_attempt_at > excluded.next_attempt_at`
  const insert = sql<{
    id: string
    provider: string
    token: string
    digest: string
    lease_ms: number | null
  }>`
    insert into provider_callbacks as kept (id, provider, token, headers, body, received_at, next_attempt_at)
    select id, provider, token, headers, body, ${databaseNow}, ${databaseNow} + interval '1 millisecond' * lease_ms
    from unnest(
      ${callbacks.map(({ id }) => uuidOf(id))}::uuid[], ${callbacks.map(({ provider }) => provider)}::text[],
      ${callbacks.map(({ token }) => token)}::text[], ${callbacks.map(({ headers }) => JSON.stringify(headers))}::jsonb[],
      ${callbacks.map(({ body }) => body)}::bytea[], ${callbacks.map(({ leaseMs }) => leaseMs)}::float8[]
    ) as given (id, provider, token, headers, body, lease_ms)
    order by provider, token, sha256(body)
    on conflict (provider, token, body_sha256) do update set
      copies = kept.copies + 1,
      last_received_at = greatest(kept.received_at, kept.last_received_at, excluded.received_at),
      next_attempt_at = case when ${isOver} or (${isPostponed}) then excluded.next_attempt_at else kept.next_attempt_at end,
      result = case when ${isOver} then null else kept.result end,
      processed_at = case when ${isOver} then null else kept.processed_at end
    returning id, provider, token, encode(body_sha256, 'hex') as digest,
      case when processed_at is null then (extract(epoch from next_attempt_at - ${databaseNow}) * 1000)::float8 end as lease_ms`
  const rows = await runPrepared(db, 'insert-callbacks', insert)
  return new Map(
    rows
      .filter((row) => row.lease_ms === distinct.get(keyOf(row))?.leaseMs)
      .map((row) => [
        keyOf(row),
        { id: idFrom(CallbackId, row.id), provider: row.provider, token: row.token },
      ]),
  )
}

export type CallbackResult = 'applied' | 'unmatched' | 'unanswered'

/** Callbacks that end at the same moment share a commit. */
export const finishCallback = (db: Database, id: CallbackId, result: CallbackResult): Promise<void> =>
  finishOne(db.kysely, { id, result })

const finishOne = batched(
  async (db: Queryable, ended: readonly { readonly id: CallbackId; readonly result: CallbackResult }[]) => {
    const finish = sql`
      with locked as materialized (
        select callback.id, given.result
        from unnest(${ended.map(({ id }) => uuidOf(id))}::uuid[], ${ended.map(({ result }) => result)}::text[]) as given (id, result)
        join provider_callbacks callback on callback.id = given.id
        order by callback.provider, callback.token, callback.body_sha256 for update of callback
      )
      update provider_callbacks as kept set result = locked.result, processed_at = ${databaseNow}
      from locked where kept.id = locked.id`
    await runPrepared(db, 'finish-callbacks', finish)
    return ended.map(() => undefined)
  },
)

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
  const rows = await takeDue<Record<'id' | 'provider' | 'token', string>>(db.kysely, waiting, leaseMs, limit)
  return rows.map((row) => ({ ...row, id: idFrom(CallbackId, row.id) }))
}

const waiting: DueRows = {
  table: 'provider_callbacks',
  key: ['id'],
  isDue: sql`processed_at is null and next_attempt_at <= ${databaseNow}`,
  dueAt: sql`next_attempt_at`,
  lease: (ms) => sql`next_attempt_at = ${databaseNowPlus(ms)}`,
  returning: ['id', 'provider', 'token'],
}

/** Adds callbacks with a forged token to the count of the day. */
export async function countRefusals(db: Database, provider: string, count: number): Promise<void> {
  await sql`
    insert into provider_callback_refusals as kept (provider, day, count)
    values (${provider}, (${databaseNow} at time zone 'UTC')::date, ${count})
    on conflict (provider, day) do update set count = kept.count + excluded.count`.execute(db.kysely)
}

/** Deletes callbacks that were received and handled before a time, by their ids, which contain the time. Returns their number. */
export async function deleteCallbacks(db: Database, before: Date, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from provider_callbacks where id in (
      select id from provider_callbacks where id < ${firstUuidAt(before.getTime())} and processed_at < ${before}
      order by id limit ${most} for update skip locked)`.execute(db.kysely)
  return Number(numAffectedRows ?? 0n)
}

import { sql } from 'kysely'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import { databaseNow, databaseNowPlus } from '../../platform/db/database-time.ts'
import { uuidOf } from '../../platform/ids.ts'
import type { KeyedRequest } from './keyed-request.ts'
import type { KeyOwner } from './store-keys.ts'

/** The record of an Idempotency-Key: the effect, and its response unless that is outstanding or can be rendered from the request. */
export interface IdempotencyRecord {
  readonly requestHash: Buffer
  readonly answer: { readonly status: number; readonly json: string } | null
  /** The UUID of the effect. */
  readonly subject: string
  /** How long ago the key was claimed, by the database's clock. */
  readonly ageMs: number
}

const RECORD_LIFE_DAYS = 30
export const RECORD_LIFE_MS = RECORD_LIFE_DAYS * 24 * 60 * 60 * 1000

/** A record older than 30 days is replaced. A younger one stays, and the claim returns no row. */
export const onConflictExpired = `on conflict (account_id, application_id, key) do update
    set request_hash = excluded.request_hash, status = excluded.status, answer = excluded.answer, subject_id = excluded.subject_id,
      created_at = excluded.created_at
    where kept.created_at <= muripo_now() - interval '${RECORD_LIFE_DAYS} days'`

const of = (db: Queryable, { accountId, applicationId }: KeyOwner, key: string) =>
  db
    .selectFrom('idempotency_keys')
    .where('account_id', '=', uuidOf(accountId))
    .where('application_id', '=', uuidOf(applicationId))
    .where('key', '=', key)

export async function findIdempotencyRecord(
  db: Queryable,
  caller: KeyOwner,
  key: string,
): Promise<IdempotencyRecord | null> {
  const row = await of(db, caller, key)
    .selectAll()
    .select(sql<number>`extract(epoch from muripo_now() - created_at)::float8 * 1000`.as('age_ms'))
    .executeTakeFirst()
  if (!row) return null
  const { status, answer } = row
  return {
    requestHash: row.request_hash,
    answer: status === null || answer === null ? null : { status, json: answer },
    subject: row.subject_id,
    ageMs: row.age_ms,
  }
}

/** Waits for another claim of the same key to commit. False when the key is known. */
export async function claimKey(
  tx: Tx,
  caller: KeyOwner,
  { key, hash }: KeyedRequest,
  subject: string,
): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency_keys as kept (account_id, application_id, key, request_hash, subject_id, created_at)
    values (${uuidOf(caller.accountId)}, ${uuidOf(caller.applicationId)}, ${key}, ${hash}, ${subject}, ${databaseNow})
    ${sql.raw(onConflictExpired)}
    returning 1`.execute(tx)
  return rows.length > 0
}

/** The first response stays: false when there is one already, or when another request holds the key by now. */
export async function saveResponse(
  db: Queryable,
  caller: KeyOwner,
  key: string,
  subject: string,
  { status, json }: { status: number; json: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('idempotency_keys')
    .set({ status, answer: json })
    .where('account_id', '=', uuidOf(caller.accountId))
    .where('application_id', '=', uuidOf(caller.applicationId))
    .where('key', '=', key)
    .where('subject_id', '=', subject)
    .where('answer', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Deletes expired records from some pages of the table, except rows that a claim is replacing.
 * @returns the page to continue at: page 0 after the last one
 */
export async function deleteExpiredRecords(db: Queryable, fromPage: number, pages: number): Promise<number> {
  const { rows } = await sql<{ pages: number }>`
    with over as materialized (
      select ctid from idempotency_keys
      where ctid >= ${`(${fromPage},0)`}::tid and ctid < ${`(${fromPage + pages},0)`}::tid and created_at <= ${databaseNowPlus(-RECORD_LIFE_MS)}
      for update skip locked
    ), deleted as (
      delete from idempotency_keys where ctid = any(array(select ctid from over))
    )
    select (pg_relation_size('idempotency_keys') / current_setting('block_size')::int)::int as pages`.execute(
    db,
  )
  const next = fromPage + pages
  return next < (rows[0]?.pages ?? 0) ? next : 0
}

import { AccountId, AttemptId, RefundId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Queryable } from '../../../platform/db/database.ts'
import { databaseNow, databaseNowPlus } from '../../../platform/db/database-time.ts'
import { idFrom } from '../../../platform/ids.ts'

/**
 * Leases failed calls whose next look-up is due, each to one process. The lease grows from `leaseMs` with the age of the call: a look-up
 * that never finishes is repeated less and less often.
 */
const takeWatched =
  <Prefix extends string>(table: 'payment_attempts' | 'refunds', kind: { readonly prefix: Prefix }) =>
  async (db: Queryable, leaseMs: number, limit: number) => {
    if (limit <= 0) return []
    const { rows } = await sql<{ account_id: string; id: string }>`
      update ${sql.table(table)} set checks = checks + 1, next_watch_at = greatest(${databaseNowPlus(leaseMs)},
        ${databaseNow} + (${databaseNow} - watch_until + interval '72 hours') / 10)
      where (account_id, id) in (
        select account_id, id from ${sql.table(table)} where next_watch_at <= ${databaseNow}
        order by next_watch_at limit ${limit} for update skip locked)
      returning account_id, id`.execute(db)
    return rows.map((row) => ({ accountId: idFrom(AccountId, row.account_id), id: idFrom(kind, row.id) }))
  }

/** The time in milliseconds by which the oldest look-up of a failed call is overdue: zero when none is. */
export async function watchLagMs(db: Queryable): Promise<number> {
  const { rows } = await sql<{ lag_ms: number }>`
    select greatest(0, extract(epoch from ${databaseNow} - least(
      (select min(next_watch_at) from payment_attempts where next_watch_at is not null),
      (select min(next_watch_at) from refunds where next_watch_at is not null))) * 1000)::float8 as lag_ms`.execute(
    db,
  )
  return rows[0]?.lag_ms ?? 0
}

export const takeWatchedAttempts = takeWatched('payment_attempts', AttemptId)
export const takeWatchedRefunds = takeWatched('refunds', RefundId)

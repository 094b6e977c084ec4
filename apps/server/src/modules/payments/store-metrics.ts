import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { databaseNow } from '../../platform/db/database-time.ts'
import { COUNTED_MAX, type QueueState, readQueues } from '../../platform/metrics/queues.ts'

/** Each subquery reads one partial index in its order. */
export const readPaymentQueues = (db: Database): Promise<QueueState[]> =>
  readQueues(db, {
    'look-ups': sql`select next_check_at as due_at from payment_attempts where next_check_at <= ${databaseNow} order by next_check_at`,
    'refund-look-ups': sql`select next_check_at as due_at from refunds where next_check_at <= ${databaseNow} order by next_check_at`,
    'watched-charges': sql`select next_watch_at as due_at from payment_attempts where next_watch_at <= ${databaseNow} order by next_watch_at`,
    'watched-refunds': sql`select next_watch_at as due_at from refunds where next_watch_at <= ${databaseNow} order by next_watch_at`,
    expiries: sql`select expires_at as due_at from payments
      where status = 'pending' and termination_reason is null and expires_at <= ${databaseNow} order by expires_at`,
    'attempts-in-review': sql`select created_at as due_at from payment_attempts
      where status = 'held' or (status in ('sending', 'pending', 'unknown') and next_check_at is null) order by created_at`,
    anomalies: sql`select opened_at as due_at from payment_anomalies where resolved_at is null order by opened_at`,
    'operator-refunds': sql`select created_at as due_at from refunds
      where status = 'awaiting_operator' or (status in ('sending', 'pending', 'unknown') and next_check_at is null)
        or (paid_late_at is not null and settled_at is null) order by created_at`,
  })

const openStatuses = ['sending', 'pending', 'unknown'] as const

export interface OpenAttempts {
  readonly status: (typeof openStatuses)[number]
  readonly count: number
  readonly oldestMs: number
}

/** Open attempts by status: each status is listed, also without attempts. */
export async function readOpenAttempts(db: Database): Promise<OpenAttempts[]> {
  const { rows } = await sql<{ status: string; count: number; oldest_ms: number }>`
    select status, count(*)::int as count, (extract(epoch from ${databaseNow} - min(created_at)) * 1000)::float8 as oldest_ms
    from (select status, created_at from payment_attempts
      where status in ('sending', 'pending', 'unknown') limit ${COUNTED_MAX}) as open
    group by status`.execute(db.kysely)
  return openStatuses.map((status) => {
    const row = rows.find((each) => each.status === status)
    return { status, count: row?.count ?? 0, oldestMs: Math.max(0, row?.oldest_ms ?? 0) }
  })
}

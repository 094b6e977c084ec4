import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import { channels } from '../../platform/db/locks-and-channels.ts'

/**
 * Applies at most so many deltas to the totals, and publishes the changed payments with the commit. Returns the number of deltas: zero
 * while another process aggregates.
 */
export async function applyStatDeltas(db: Queryable, most: number): Promise<number> {
  const { rows } = await sql<{ applied: number }>`
    select coalesce(sum(deltas), 0)::int as applied, count(pg_notify(${channels.paymentsChanged},
      json_build_object('accountId', account_id, 'paymentIds', payment_ids, 'more', more)::text)) as published
    from aggregate_payment_stats(${most}::int)`.execute(db)
  return rows[0]?.applied ?? 0
}

import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'

/** The number of payments of environments that are open, or whose calls are still looked up, up to a limit. */
export async function paymentsUnderway(
  tx: Tx,
  environments: readonly string[],
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select id from payments where account_id = any(${environments}::uuid[]) and (status in ('pending', 'authorized') or refund_pending_minor > 0)
      union
      select payment_id from payment_attempts where account_id = any(${environments}::uuid[])
        and (next_check_at is not null or next_watch_at is not null or status = 'held')
      union
      select payment_id from refunds where account_id = any(${environments}::uuid[])
        and (next_check_at is not null or next_watch_at is not null or status = 'awaiting_operator')
      limit ${limit}
    ) as underway`.execute(tx)
  return rows[0]?.count ?? 0
}

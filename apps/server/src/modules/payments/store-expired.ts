import { AccountId, PaymentId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import { databaseNow } from '../../platform/db/database-time.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'

export interface ExpiredPayment {
  readonly accountId: AccountId
  readonly id: PaymentId
  /** The database's text, with microseconds. */
  readonly expiresAt: string
}

/**
 * Pending payments that have expired and are not terminated yet, the earliest expiry first.
 * @param after the last payment of the previous batch
 */
export async function findExpired(
  db: Queryable,
  limit: number,
  after: ExpiredPayment | null = null,
): Promise<ExpiredPayment[]> {
  const select = db
    .selectFrom('payments')
    .select(['account_id', 'id', sql<string>`expires_at::text`.as('expires_at_text')])
    .where('status', '=', 'pending')
    .where('termination_reason', 'is', null)
    .where('expires_at', '<=', databaseNow)
    .orderBy('expires_at')
    .orderBy('account_id')
    .orderBy('id')
    .limit(limit)
  const rows = await (after === null
    ? select
    : select
        // Only the first condition bounds the index scan.
        .where(sql<boolean>`expires_at >= ${after.expiresAt}::timestamptz`)
        .where(
          sql<boolean>`(expires_at, account_id, id) > (${after.expiresAt}::timestamptz, ${uuidOf(after.accountId)}::uuid, ${uuidOf(after.id)}::uuid)`,
        )
  ).execute()
  return rows.map((row) => ({
    accountId: idFrom(AccountId, row.account_id),
    id: idFrom(PaymentId, row.id),
    expiresAt: row.expires_at_text,
  }))
}

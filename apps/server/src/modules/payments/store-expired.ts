import { MerchantId, PaymentId } from '@muripo/contract/ids'
import type { Queryable } from '../../platform/db/database.ts'
import { databaseNow } from '../../platform/db/database-time.ts'
import { idFrom } from '../../platform/ids.ts'

/** Pending payments whose time is over and that nobody has begun to close, the longest over first. */
export async function findExpired(
  db: Queryable,
  limit: number,
): Promise<{ merchantId: MerchantId; id: PaymentId }[]> {
  const rows = await db
    .selectFrom('payments')
    .select(['merchant_id', 'id'])
    .where('status', '=', 'pending')
    .where('closing_reason', 'is', null)
    .where('expires_at', '<=', databaseNow)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    merchantId: idFrom(MerchantId, row.merchant_id),
    id: idFrom(PaymentId, row.id),
  }))
}

import { AccountId, PaymentId } from '@muripo/contract/ids'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'

export interface UnmailedReceipt {
  readonly accountId: AccountId
  readonly id: PaymentId
}

export const receiptDefinition = 'account_id uuid, payment_id uuid'

/** A receipt never prevents the outcome that it follows from. */
export const insertReceiptsFrom = (rows: string): string =>
  `insert into receipts_to_mail (account_id, payment_id) select account_id, payment_id from ${rows} on conflict do nothing`

/** @param after the last one of the previous batch */
export async function findUnmailedReceipts(
  db: Queryable,
  limit: number,
  after: UnmailedReceipt | null,
): Promise<UnmailedReceipt[]> {
  const select = db
    .selectFrom('receipts_to_mail')
    .select(['account_id', 'payment_id'])
    .orderBy('account_id')
    .orderBy('payment_id')
    .limit(limit)
  const rows = await (after === null
    ? select
    : select.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('account_id', 'payment_id'), '>', tuple(uuidOf(after.accountId), uuidOf(after.id))),
      )
  ).execute()
  return rows.map((row) => ({
    accountId: idFrom(AccountId, row.account_id),
    id: idFrom(PaymentId, row.payment_id),
  }))
}

/** False when another process has taken the receipt. */
export async function takeReceipt(tx: Tx, { accountId, id }: UnmailedReceipt): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('receipts_to_mail')
    .where('account_id', '=', uuidOf(accountId))
    .where('payment_id', '=', uuidOf(id))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

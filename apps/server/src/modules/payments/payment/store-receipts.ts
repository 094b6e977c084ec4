import { AccountId, ApplicationId, PaymentId } from '@muripo/contract/ids'
import type { Queryable } from '../../../platform/db/database.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'

export interface UnmailedReceipt {
  readonly accountId: AccountId
  readonly id: PaymentId
  readonly applicationId: ApplicationId
  readonly email: string | null
}

export const receiptDefinition = 'account_id uuid, payment_id uuid'

/** A row that exists already does not prevent the outcome. */
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
  const due =
    after === null
      ? select
      : select.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('account_id', 'payment_id'), '>', tuple(uuidOf(after.accountId), uuidOf(after.id))),
        )
  const rows = await db
    .selectFrom(due.as('due'))
    .innerJoin('payments', (join) =>
      join.onRef('payments.account_id', '=', 'due.account_id').onRef('payments.id', '=', 'due.payment_id'),
    )
    .select(['due.account_id', 'due.payment_id', 'application_id', 'customer_email'])
    .orderBy('due.account_id')
    .orderBy('due.payment_id')
    .execute()
  return rows.map((row) => ({
    accountId: idFrom(AccountId, row.account_id),
    id: idFrom(PaymentId, row.payment_id),
    applicationId: idFrom(ApplicationId, row.application_id),
    email: row.customer_email,
  }))
}

/** Deletes the rows of receipts. @returns the number of those that no other process has taken */
export async function takeReceipts(db: Queryable, receipts: readonly UnmailedReceipt[]): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('receipts_to_mail')
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple('account_id', 'payment_id'),
        'in',
        receipts.map(({ accountId, id }) => tuple(uuidOf(accountId), uuidOf(id))),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

import type { AccountId, PaymentId, RefundId } from '@muripo/contract/ids'
import type { RefundQuery } from '@muripo/contract/refunds'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { invariant } from '../../../platform/errors.ts'
import { uuidOf } from '../../../platform/ids.ts'
import type { KeyOwner } from '../../applications/index.ts'
import type { RefundStatus } from '../machine.ts'
import type { Refund } from '../payment.ts'
import { changedColumns, type ProviderCallChange } from '../provider-calls/store-provider-calls.ts'
import { refunds } from '../tables.ts'

const inserted = refunds.recordSet([
  'accountId',
  'id',
  'paymentId',
  'attemptId',
  'amount',
  'applicationId',
  'origin',
  'reason',
  'requestedBy',
  'status',
  'nextCheckAt',
  'createdAt',
  'updatedAt',
])

export async function insertRefund(tx: Tx, refund: Refund): Promise<void> {
  await sql`
    insert into refunds (${inserted.names}) select ${inserted.names}
    from json_to_recordset(${JSON.stringify([inserted.row(refund)])}) as given (${inserted.definition})`.execute(
    tx,
  )
}

export async function findRefund(db: Queryable, accountId: AccountId, id: RefundId): Promise<Refund | null> {
  const row = await db
    .selectFrom('refunds')
    .selectAll()
    .where('account_id', '=', uuidOf(accountId))
    .where('id', '=', uuidOf(id))
    .executeTakeFirst()
  return row ? refunds.read(row) : null
}

/** The refunds of a payment that its merchant requested, the latest first. */
export async function refundsOf(
  db: Queryable,
  accountId: AccountId,
  paymentId: PaymentId,
): Promise<Refund[]> {
  const rows = await db
    .selectFrom('refunds')
    .selectAll()
    .where('account_id', '=', uuidOf(accountId))
    .where('payment_id', '=', uuidOf(paymentId))
    .where('origin', '=', 'merchant')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(refunds.read)
}

/** The refunds of one application, newest first, one more than the limit when there are more. */
export async function refundsOfApplication(
  db: Queryable,
  caller: KeyOwner,
  { limit, cursor, payment }: RefundQuery,
): Promise<Refund[]> {
  let select = db
    .selectFrom('refunds')
    .selectAll()
    .where('account_id', '=', uuidOf(caller.accountId))
    .where('application_id', '=', uuidOf(caller.applicationId))
    .where('origin', '=', 'merchant')
  if (cursor) select = select.where('id', '<', uuidOf(cursor))
  if (payment) select = select.where('payment_id', '=', uuidOf(payment))
  const rows = await select
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return rows.map(refunds.read)
}

export type RefundChange = ProviderCallChange<RefundStatus> & {
  readonly paidLateAt?: Date | null
  readonly settledAt?: Date
}

export async function updateRefund(tx: Tx, refund: Refund, change: RefundChange, at: Date): Promise<Refund> {
  const row = await tx
    .updateTable('refunds')
    .set({
      ...changedColumns(change, at),
      ...(change.paidLateAt !== undefined && { paid_late_at: change.paidLateAt }),
      ...(change.settledAt !== undefined && { settled_at: change.settledAt }),
    })
    .where('account_id', '=', uuidOf(refund.accountId))
    .where('id', '=', uuidOf(refund.id))
    .returningAll()
    .executeTakeFirst()
  invariant(row, 'a refund is never deleted')
  return refunds.read(row)
}

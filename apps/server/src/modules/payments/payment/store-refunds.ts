import type { AccountId, PaymentId, RefundId } from '@muripo/contract/ids'
import type { RefundQuery } from '@muripo/contract/refunds'
import { sql } from 'kysely'
import { type Queryable, runPrepared } from '../../../platform/db/database.ts'
import { uuidOf } from '../../../platform/ids.ts'
import type { KeyOwner } from '../../applications/index.ts'
import type { Refund } from './payment.ts'
import { refunds } from './tables.ts'

export async function findRefund(db: Queryable, accountId: AccountId, id: RefundId): Promise<Refund | null> {
  const find = sql<Record<string, unknown>>`
    select ${refunds.selectList} from refunds where account_id = ${uuidOf(accountId)} and id = ${uuidOf(id)}`
  const [row] = await runPrepared(db, 'find-refund', find)
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

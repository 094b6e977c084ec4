import type { AccountId, PaymentId, RefundId } from '@muripo/contract/ids'
import type { RefundQuery } from '@muripo/contract/refunds'
import { sql } from 'kysely'
import { type Queryable, runPrepared } from '../../../platform/db/database.ts'
import type { ChangeOf } from '../../../platform/db/table.ts'
import { uuidOf } from '../../../platform/ids.ts'
import type { KeyOwner } from '../../applications/index.ts'
import type { Refund } from './payment.ts'
import { type KeyedRequest, keyedColumns } from './store-idempotency.ts'
import { changedByCall, changeRow, refunds } from './tables.ts'

const inserted = refunds.recordSet([
  'accountId',
  'id',
  'paymentId',
  'attemptId',
  'amount',
  'applicationId',
  'origin',
  'replacesId',
  'reason',
  'requestedBy',
  'status',
  'nextCheckAt',
  'createdAt',
  'updatedAt',
])

/** A new refund, with the request that opened it under an Idempotency-Key. */
export interface NewRefund extends Refund {
  readonly keyed?: KeyedRequest | null
}

/** The columns of `openedRefundRow`, as json_to_recordset reads them. */
export const openedRefundDefinition = `${inserted.text.definition}, ${keyedColumns.definition}`

export const openedRefundRow = (refund: NewRefund): object => ({ ...inserted.row(refund), ...refund.keyed })

const insertedNames = `${inserted.text.names}, ${keyedColumns.names}`

/** A statement that inserts the refunds of a relation. */
export const insertRefundsFrom = (given: string): string => `
    insert into refunds (${insertedNames}) select ${insertedNames} from ${given}`

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

const changes = refunds.changes([
  ...changedByCall,
  'paidLateAt',
  'settledAt',
  'bouncedAt',
  'unclaimedAt',
  'updatedAt',
])

export type RefundChange = Omit<ChangeOf<typeof changes>, 'updatedAt'>

/** One row of `changeDefinition`. */
export const refundChangeRow = (refund: Refund, change: RefundChange, at: Date): object =>
  changeRow(refund, changes.row({ ...change, updatedAt: at }))

/** A statement that updates the refunds of a relation. Their payments are locked. */
export const updateRefundsFrom = (given: string): string => `
    update refunds as kept set ${changes.assignments}
    from ${given} where kept.account_id = ${given}.account_id and kept.id = ${given}.id`

/** The refund after a change. */
export function changedRefund(refund: Refund, change: RefundChange, at: Date): Refund {
  return { ...refund, ...change, updatedAt: at }
}

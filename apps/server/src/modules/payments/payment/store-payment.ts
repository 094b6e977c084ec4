import type { AccountId, AttemptId, CustomerId, Id, PaymentId } from '@muripo/contract/ids'
import type { Money } from '@muripo/contract/money'
import type { PaymentMethod, PaymentStatus, StatusReason } from '@muripo/contract/payments'
import { sql } from 'kysely'
import { alignRows, batched, type RowKey } from '../../../platform/db/batcher.ts'
import { type Queryable, runPrepared, type Tx } from '../../../platform/db/database.ts'
import { databaseNow, oneNow } from '../../../platform/db/database-time.ts'
import { uuidOf } from '../../../platform/ids.ts'
import type { LockedPayment, Payment, Termination } from './payment.ts'
import { payments } from './tables.ts'

type StoredRow = RowKey & Readonly<Record<string, unknown>>

const rowKeyOf = (accountId: AccountId, id: Id<string>): RowKey => ({
  account_id: uuidOf(accountId),
  id: uuidOf(id),
})

/** A payment, and the database's time when it was read. */
export interface Reading {
  readonly payment: Payment
  readonly at: Date
}

export const findPayment = async (
  db: Queryable,
  accountId: AccountId,
  id: PaymentId,
): Promise<Payment | null> => (await readPayment(db, accountId, id))?.payment ?? null

/** The methods that could take the payment when it was created. */
export const findPayableMethods = async (
  db: Queryable,
  accountId: AccountId,
  id: PaymentId,
): Promise<Payment['payableMethods']> => (await findPayment(db, accountId, id))?.payableMethods ?? []

export const readPayment = (db: Queryable, accountId: AccountId, id: PaymentId): Promise<Reading | null> =>
  readMany(db, rowKeyOf(accountId, id))

const readMany = batched<Queryable, RowKey, Reading | null>(async (db, rowKeys) => {
  const read = sql<StoredRow & { read_at: Date }>`
    select ${payments.selectList}, ${sql.raw(oneNow)} as read_at from payments
    join json_to_recordset(${JSON.stringify(rowKeys)}) as row_keys (account_id uuid, id uuid) using (account_id, id)`
  const rows = await runPrepared(db, 'read-payments', read)
  return alignRows(rowKeys, rows).map((row) =>
    row ? { payment: payments.read(row), at: row.read_at } : null,
  )
})

/** The payment of an attempt. */
export const readPaymentOf = (
  db: Queryable,
  accountId: AccountId,
  attemptId: AttemptId,
): Promise<Reading | null> => readManyOf(db, rowKeyOf(accountId, attemptId))

const readManyOf = batched<Queryable, RowKey, Reading | null>(async (db, rowKeys) => {
  const read = sql<StoredRow & { attempt_id: string; read_at: Date }>`
    with named as materialized (
      select account_id, payment_id as id, id as attempt_id from payment_attempts
      join json_to_recordset(${JSON.stringify(rowKeys)}) as row_keys (account_id uuid, id uuid) using (account_id, id)
    )
    select ${payments.selectList}, attempt_id, ${sql.raw(oneNow)} as read_at from payments join named using (account_id, id)`
  const rows = await runPrepared(db, 'read-payments-of-attempts', read)
  return alignRows(
    rowKeys,
    rows.map((row) => ({ account_id: row.account_id, id: row.attempt_id, row })),
  ).map((found) => (found ? { payment: payments.read(found.row), at: found.row.read_at } : null))
})

/**
 * Locks the payment until the commit. Every transaction that changes a payment, its attempts or its refunds takes this lock first; the
 * statement of a change set takes it too.
 */
export async function lockPayment(
  tx: Tx,
  accountId: AccountId,
  id: PaymentId,
): Promise<LockedPayment | null> {
  const lock = sql<Record<string, unknown> & { locked_at: Date }>`
    select ${payments.selectList}, ${databaseNow} as locked_at from payments
    where account_id = ${uuidOf(accountId)} and id = ${uuidOf(id)} for update`
  const [row] = await runPrepared(tx, 'lock-payment', lock)
  return row ? { ...payments.read(row), lockedAt: row.locked_at } : null
}

export interface PaymentChange {
  readonly status?: PaymentStatus
  readonly statusReason?: StatusReason | null
  readonly method?: PaymentMethod
  readonly providerReference?: string | null
  readonly customerPhone?: string
  readonly customerId?: CustomerId
  readonly captured?: Money
  readonly captureBefore?: Date
  readonly fee?: Money
  readonly refunded?: Money
  readonly refundPending?: Money
  readonly reversed?: Money
  readonly lastEvent?: number
  readonly completedAt?: Date
  readonly termination?: Termination
}

/** The payment after a change. */
export function changedPayment(payment: Payment, change: PaymentChange, at: Date): Payment {
  const { customerPhone: phone, customerId: id, ...others } = change
  const customer = {
    ...payment.customer,
    ...(phone !== undefined && { phone }),
    ...(id !== undefined && { id }),
  }
  return { ...payment, ...others, customer, updatedAt: at, version: payment.version + 1 }
}

/** The columns of a payment that may change. A change writes all of them, because the payment's lock excludes concurrent changes. */
export const paymentColumns = payments.recordSet([
  'accountId',
  'id',
  'status',
  'statusReason',
  'method',
  'providerReference',
  'customer',
  'captured',
  'captureBefore',
  'fee',
  'refunded',
  'refundPending',
  'reversed',
  'termination',
  'lastEvent',
  'version',
  'completedAt',
  'updatedAt',
])

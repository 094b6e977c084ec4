import { ApplicationId, CustomerId, type Id, MerchantId, PaymentId } from '@muripo/contract/ids'
import { type Currency, type Money, money } from '@muripo/contract/money'
import type { ClosingReason, PaymentMethod, PaymentStatus, StatusReason } from '@muripo/contract/payments'
import { type Selectable, sql } from 'kysely'
import { type Queryable, runPrepared, type Tx } from '../../platform/db/database.ts'
import { oneNow } from '../../platform/db/database-time.ts'
import { gathered } from '../../platform/db/gathered.ts'
import type { Payments as PaymentRow } from '../../platform/db/schema.ts'
import { rowsFor, type Wanted } from '../../platform/db/wanted.ts'
import { invariant } from '../../platform/errors.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'
import type { Closing, LockedPayment, Payment } from './payment.ts'

// By name: what a session has prepared outlives a column that a later release adds, which "all of them" does not.
const kept = [
  'merchant_id',
  'id',
  'application_id',
  'amount_minor',
  'currency',
  'status',
  'status_reason',
  'method',
  'provider_reference',
  'description',
  'reference',
  'customer_id',
  'customer_email',
  'customer_name',
  'customer_phone',
  'success_url',
  'cancel_url',
  'metadata',
  'fee_minor',
  'refunded_minor',
  'refund_pending_minor',
  'last_event',
  'version',
  'created_at',
  'updated_at',
  'completed_at',
  'expires_at',
  'closing_reason',
  'closing_since',
] as const satisfies readonly (keyof PaymentRow)[]
const allKept = sql.raw(kept.map((column) => `payments.${column}`).join(', '))

type KeptRow = Pick<Selectable<PaymentRow>, (typeof kept)[number]>

export function toPayment(row: KeptRow): Payment {
  const currency = row.currency as Currency
  return {
    merchantId: idFrom(MerchantId, row.merchant_id),
    id: idFrom(PaymentId, row.id),
    applicationId: idFrom(ApplicationId, row.application_id),
    amount: money(row.amount_minor, currency),
    status: row.status as PaymentStatus,
    statusReason: row.status_reason as StatusReason | null,
    method: row.method as PaymentMethod | null,
    providerReference: row.provider_reference,
    description: row.description,
    reference: row.reference,
    customer: {
      id: row.customer_id === null ? null : idFrom(CustomerId, row.customer_id),
      email: row.customer_email,
      name: row.customer_name,
      phone: row.customer_phone,
    },
    successUrl: row.success_url,
    cancelUrl: row.cancel_url,
    metadata: row.metadata as Record<string, string>,
    fee: row.fee_minor === null ? null : money(row.fee_minor, currency),
    refunded: money(row.refunded_minor, currency),
    refundPending: money(row.refund_pending_minor, currency),
    lastEvent: row.last_event,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    completedAt: row.completed_at,
    expiresAt: row.expires_at,
    closing: closingOf(row),
  }
}

const closingOf = ({ closing_reason, closing_since }: KeptRow): Closing | null =>
  closing_since && { reason: closing_reason as ClosingReason, since: closing_since }

const wantedOf = (merchantId: MerchantId, id: Id<string>): Wanted => ({
  merchant_id: uuidOf(merchantId),
  id: uuidOf(id),
})

export const findPayment = (db: Queryable, merchantId: MerchantId, id: PaymentId): Promise<Payment | null> =>
  findMany(db, wantedOf(merchantId, id))

const findMany = gathered<Queryable, Wanted, Payment | null>(async (db, wanted) => {
  const find = sql<KeptRow>`
    select ${allKept} from payments
    join json_to_recordset(${JSON.stringify(wanted)}) as wanted (merchant_id uuid, id uuid) using (merchant_id, id)`
  return inOrder(wanted, await runPrepared(db, 'find-payments', find))
})

/** Holds the payment until the commit. Whoever changes a payment, its attempts or its refunds takes this lock first. */
export const lockPayment = (tx: Tx, merchantId: MerchantId, id: PaymentId): Promise<LockedPayment | null> =>
  lockMany(tx, wantedOf(merchantId, id))

// In one order everywhere, so that two transactions that hold many wait for each other and never in a circle.
const lockMany = gathered<Tx, Wanted, LockedPayment | null>(async (tx, wanted) => {
  const lock = sql<KeptRow & { locked_at: Date }>`
    select ${allKept}, ${sql.raw(oneNow)} as locked_at from payments
    join json_to_recordset(${JSON.stringify(wanted)}) as wanted (merchant_id uuid, id uuid) using (merchant_id, id)
    order by merchant_id, id for update of payments`
  const rows = await runPrepared(tx, 'lock-payments', lock)
  return rowsFor(wanted, rows).map((row) => (row ? { ...toPayment(row), lockedAt: row.locked_at } : null))
})

const inOrder = (wanted: readonly Wanted[], rows: readonly KeptRow[]): (Payment | null)[] =>
  rowsFor(wanted, rows).map((row) => (row ? toPayment(row) : null))

export interface PaymentChange {
  readonly status?: PaymentStatus
  readonly statusReason?: StatusReason | null
  readonly method?: PaymentMethod
  readonly providerReference?: string | null
  readonly customerPhone?: string
  readonly customerId?: CustomerId
  readonly fee?: Money
  readonly refunded?: Money
  readonly refundPending?: Money
  readonly lastEvent?: number
  readonly completedAt?: Date
  readonly closing?: Closing
}

/**
 * Changes a locked payment, all its columns at once.
 * @param payment as it was read or last changed: an earlier reading is refused, because it would undo what was changed since
 */
export async function updatePayment(
  tx: Tx,
  payment: Payment,
  change: PaymentChange,
  at: Date,
): Promise<Payment> {
  const { customerPhone: phone, customerId: id, ...others } = change
  const customer = {
    ...payment.customer,
    ...(phone !== undefined && { phone }),
    ...(id !== undefined && { id }),
  }
  const changed = { ...payment, ...others, customer, updatedAt: at, version: payment.version + 1 }
  await writeMany(tx, changed)
  return changed
}

/** All that may change of a payment: each is written whether it did or not, for the lock keeps others from having changed it. */
const columns: Readonly<Record<string, readonly [type: string, value: (payment: Payment) => unknown]>> = {
  status: ['text', ({ status }) => status],
  status_reason: ['text', ({ statusReason }) => statusReason],
  method: ['text', ({ method }) => method],
  provider_reference: ['text', ({ providerReference }) => providerReference],
  customer_phone: ['text', ({ customer }) => customer.phone],
  customer_id: ['uuid', ({ customer }) => customer.id && uuidOf(customer.id)],
  fee_minor: ['bigint', ({ fee }) => fee?.minor.toString()],
  refunded_minor: ['bigint', ({ refunded }) => refunded.minor.toString()],
  refund_pending_minor: ['bigint', ({ refundPending }) => refundPending.minor.toString()],
  closing_reason: ['text', ({ closing }) => closing?.reason],
  closing_since: ['timestamptz', ({ closing }) => closing?.since],
  last_event: ['int', ({ lastEvent }) => lastEvent],
  version: ['int', ({ version }) => version],
  completed_at: ['timestamptz', ({ completedAt }) => completedAt],
  updated_at: ['timestamptz', ({ updatedAt }) => updatedAt],
}
const written = Object.entries(columns)

const writeMany = gathered<Tx, Payment, void>(async (tx, payments) => {
  const rows = payments.map((payment) => ({
    ...wantedOf(payment.merchantId, payment.id),
    ...Object.fromEntries(written.map(([column, [, value]]) => [column, value(payment)])),
  }))
  const write = sql`
    update payments set ${sql.raw(written.map(([column]) => `${column} = now.${column}`).join(', '))}
    from json_to_recordset(${JSON.stringify(rows)})
      as now (merchant_id uuid, id uuid, ${sql.raw(written.map(([column, [type]]) => `${column} ${type}`).join(', '))})
    where payments.merchant_id = now.merchant_id and payments.id = now.id and payments.version = now.version - 1
    returning true`
  const found = await runPrepared(tx, 'write-payments', write)
  invariant(found.length === rows.length, 'a payment is changed from its latest reading')
  return rows.map(() => undefined)
})

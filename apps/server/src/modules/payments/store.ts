import { ApplicationId, CustomerId, MerchantId, PaymentId } from '@muripo/contract/ids'
import { type Currency, type Money, money } from '@muripo/contract/money'
import type { ClosingReason, PaymentMethod, PaymentStatus, StatusReason } from '@muripo/contract/payments'
import type { Selectable } from 'kysely'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import type { Payments as PaymentRow } from '../../platform/db/schema.ts'
import { invariant } from '../../platform/errors.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'
import type { Closing, Payment } from './payment.ts'

export function toPayment(row: Selectable<PaymentRow>): Payment {
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
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    completedAt: row.completed_at,
    expiresAt: row.expires_at,
    closing: closingOf(row),
  }
}

const closingOf = ({ closing_reason, closing_since }: Selectable<PaymentRow>): Closing | null =>
  closing_since && { reason: closing_reason as ClosingReason, since: closing_since }

const one = (db: Queryable, merchantId: MerchantId, id: PaymentId) =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('id', '=', uuidOf(id))

export async function findPayment(
  db: Queryable,
  merchantId: MerchantId,
  id: PaymentId,
): Promise<Payment | null> {
  const row = await one(db, merchantId, id).executeTakeFirst()
  return row ? toPayment(row) : null
}

/** Holds the payment until the commit. Whoever changes a payment, its attempts or its refunds takes this lock first. */
export async function lockPayment(tx: Tx, merchantId: MerchantId, id: PaymentId): Promise<Payment | null> {
  const row = await one(tx, merchantId, id).forUpdate().executeTakeFirst()
  return row ? toPayment(row) : null
}

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

/** Changes a locked payment. */
export async function updatePayment(
  tx: Tx,
  payment: Payment,
  change: PaymentChange,
  at: Date,
): Promise<Payment> {
  const row = await tx
    .updateTable('payments')
    .set({
      updated_at: at,
      ...(change.status !== undefined && { status: change.status }),
      ...(change.statusReason !== undefined && { status_reason: change.statusReason }),
      ...(change.method !== undefined && { method: change.method }),
      ...(change.providerReference !== undefined && { provider_reference: change.providerReference }),
      ...(change.customerPhone !== undefined && { customer_phone: change.customerPhone }),
      ...(change.fee !== undefined && { fee_minor: change.fee.minor }),
      ...(change.customerId !== undefined && { customer_id: uuidOf(change.customerId) }),
      ...(change.refunded !== undefined && { refunded_minor: change.refunded.minor }),
      ...(change.refundPending !== undefined && { refund_pending_minor: change.refundPending.minor }),
      ...(change.lastEvent !== undefined && { last_event: change.lastEvent }),
      ...(change.completedAt !== undefined && { completed_at: change.completedAt }),
      ...(change.closing !== undefined && {
        closing_reason: change.closing.reason,
        closing_since: change.closing.since,
      }),
    })
    .where('merchant_id', '=', uuidOf(payment.merchantId))
    .where('id', '=', uuidOf(payment.id))
    .returningAll()
    .executeTakeFirst()
  invariant(row, 'a payment is never deleted')
  return toPayment(row)
}

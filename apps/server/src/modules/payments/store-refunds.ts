import { AttemptId, MerchantId, PaymentId, RefundId } from '@muripo/contract/ids'
import { type Currency, money } from '@muripo/contract/money'
import type { StatusReason } from '@muripo/contract/payments'
import type { Selectable } from 'kysely'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import type { Refunds as RefundRow } from '../../platform/db/schema.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'
import type { ProviderState } from '../providers/index.ts'
import { type RefundStatus, underway } from './machine.ts'
import type { Refund } from './payment.ts'
import { changedColumns, type ProviderCallChange } from './store-provider-calls.ts'

function toRefund(row: Selectable<RefundRow>): Refund {
  return {
    merchantId: idFrom(MerchantId, row.merchant_id),
    id: idFrom(RefundId, row.id),
    paymentId: idFrom(PaymentId, row.payment_id),
    attemptId: idFrom(AttemptId, row.attempt_id),
    amount: money(row.amount_minor, row.currency as Currency),
    status: row.status as RefundStatus,
    failureReason: row.failure_reason as StatusReason | null,
    providerReference: row.provider_reference,
    providerState: row.provider_state as ProviderState | null,
    checks: row.checks,
    notFoundChecks: row.not_found_checks,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export async function insertRefund(tx: Tx, refund: Refund, nextCheckAt: Date): Promise<void> {
  await tx
    .insertInto('refunds')
    .values({
      merchant_id: uuidOf(refund.merchantId),
      id: uuidOf(refund.id),
      payment_id: uuidOf(refund.paymentId),
      attempt_id: uuidOf(refund.attemptId),
      amount_minor: refund.amount.minor,
      currency: refund.amount.currency,
      status: refund.status,
      next_check_at: nextCheckAt,
      created_at: refund.createdAt,
      updated_at: refund.updatedAt,
    })
    .execute()
}

export async function findRefund(
  db: Queryable,
  merchantId: MerchantId,
  id: RefundId,
): Promise<Refund | null> {
  const row = await db
    .selectFrom('refunds')
    .selectAll()
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('id', '=', uuidOf(id))
    .executeTakeFirst()
  return row ? toRefund(row) : null
}

/** The refund of a payment that is under way; there is at most one. */
export async function openRefundOf(
  db: Queryable,
  merchantId: MerchantId,
  paymentId: PaymentId,
): Promise<Refund | null> {
  const row = await db
    .selectFrom('refunds')
    .selectAll()
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('payment_id', '=', uuidOf(paymentId))
    .where('status', 'in', underway)
    .executeTakeFirst()
  return row ? toRefund(row) : null
}

/** The payment's refunds, the latest first. */
export async function refundsOf(
  db: Queryable,
  merchantId: MerchantId,
  paymentId: PaymentId,
): Promise<Refund[]> {
  const rows = await db
    .selectFrom('refunds')
    .selectAll()
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('payment_id', '=', uuidOf(paymentId))
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toRefund)
}

export type RefundChange = ProviderCallChange<RefundStatus>

export async function updateRefund(tx: Tx, refund: Refund, change: RefundChange, at: Date): Promise<void> {
  await tx
    .updateTable('refunds')
    .set(changedColumns(change, at))
    .where('merchant_id', '=', uuidOf(refund.merchantId))
    .where('id', '=', uuidOf(refund.id))
    .execute()
}

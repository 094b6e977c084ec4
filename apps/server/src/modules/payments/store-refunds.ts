import { ApplicationId, AttemptId, MerchantId, PaymentId, RefundId } from '@muripo/contract/ids'
import { type Currency, money } from '@muripo/contract/money'
import type { StatusReason } from '@muripo/contract/payments'
import type { RefundQuery } from '@muripo/contract/refunds'
import type { Selectable } from 'kysely'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import type { Refunds as RefundRow } from '../../platform/db/schema.ts'
import { invariant } from '../../platform/errors.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'
import type { KeyOwner } from '../applications/index.ts'
import type { ProviderState } from '../providers/index.ts'
import type { RefundStatus } from './machine.ts'
import type { Refund } from './payment.ts'
import { changedColumns, type ProviderCallChange } from './store-provider-calls.ts'

function toRefund(row: Selectable<RefundRow>): Refund {
  return {
    merchantId: idFrom(MerchantId, row.merchant_id),
    id: idFrom(RefundId, row.id),
    paymentId: idFrom(PaymentId, row.payment_id),
    attemptId: idFrom(AttemptId, row.attempt_id),
    applicationId: idFrom(ApplicationId, row.application_id),
    origin: row.origin as Refund['origin'],
    reason: row.reason,
    requestedBy: row.requested_by,
    nextCheckAt: row.next_check_at,
    paidLateAt: row.paid_late_at,
    settledAt: row.settled_at,
    amount: money(row.amount_minor, row.currency as Currency),
    status: row.status as RefundStatus,
    failureReason: row.failure_reason as StatusReason | null,
    providerReference: row.provider_reference,
    providerState: row.provider_state as ProviderState | null,
    checks: row.checks,
    notFoundChecks: row.not_found_checks,
    outcomeFailures: row.outcome_failures,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export async function insertRefund(tx: Tx, refund: Refund): Promise<void> {
  await tx
    .insertInto('refunds')
    .values({
      merchant_id: uuidOf(refund.merchantId),
      id: uuidOf(refund.id),
      payment_id: uuidOf(refund.paymentId),
      attempt_id: uuidOf(refund.attemptId),
      amount_minor: refund.amount.minor,
      currency: refund.amount.currency,
      application_id: uuidOf(refund.applicationId),
      origin: refund.origin,
      reason: refund.reason,
      requested_by: refund.requestedBy,
      status: refund.status,
      next_check_at: refund.nextCheckAt,
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

/** The payment's refunds that its merchant asked for, the latest first. */
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
    .where('origin', '=', 'merchant')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toRefund)
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
    .where('merchant_id', '=', uuidOf(caller.merchantId))
    .where('application_id', '=', uuidOf(caller.applicationId))
    .where('origin', '=', 'merchant')
  if (cursor) select = select.where('id', '<', uuidOf(cursor))
  if (payment) select = select.where('payment_id', '=', uuidOf(payment))
  const rows = await select
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return rows.map(toRefund)
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
    .where('merchant_id', '=', uuidOf(refund.merchantId))
    .where('id', '=', uuidOf(refund.id))
    .returningAll()
    .executeTakeFirst()
  invariant(row, 'a refund is never deleted')
  return toRefund(row)
}

import type { DashboardPayment, PaymentAttempt } from '@muripo/contract/dashboard-payments'
import { transactionOf } from '@muripo/contract/ids'
import { type Money, toMajor } from '@muripo/contract/money'
import type { CreatedPayment } from '@muripo/contract/payment-actions'
import type { PublicPayment } from '@muripo/contract/payments'
import type { PublicRefund } from '@muripo/contract/refunds'
import type { TillPayment } from '@muripo/contract/till'
import type { EntityOf } from '../../../platform/db/table.ts'
import { drawQr } from '../../../platform/qr.ts'
import type { PaymentCtx } from './context.ts'
import { type Attempt, maskedNumber, netOf, type Payment, paidAmountOf, type Refund } from './payment.ts'
import type { listedPayments } from './tables.ts'
import { isChecked } from './timeline.ts'

/** The properties of a payment in a list of the dashboard. */
export type ListedPayment = EntityOf<typeof listedPayments>

export const paymentUrlOf = (ctx: Pick<PaymentCtx, 'config' | 'checkoutLinks'>, payment: Payment): string =>
  `${ctx.config.publicUrl}/pay/${ctx.checkoutLinks.tokenOf(payment.accountId, payment.id)}`

const majorOrNull = (amount: Money | null): number | null => amount && toMajor(amount)

/** Null before the capture. */
const feeAndNet = (payment: ListedPayment) => ({
  fee: majorOrNull(payment.fee),
  net: majorOrNull(netOf(payment)),
})

/** Null before the capture. */
const capturedOf = (payment: ListedPayment): number | null =>
  payment.completedAt && toMajor(paidAmountOf(payment))

/** The payment as the merchant's server sees it. */
export const toPublic = (
  ctx: Pick<PaymentCtx, 'config' | 'checkoutLinks'>,
  payment: Payment,
): PublicPayment => ({
  id: payment.id,
  object: 'payment',
  status: payment.status,
  status_reason: payment.statusReason,
  amount: toMajor(payment.amount),
  amount_refunded: toMajor(payment.refunded),
  amount_reversed: toMajor(payment.reversed),
  ...feeAndNet(payment),
  currency: payment.amount.currency,
  description: payment.description,
  reference: payment.reference,
  method: payment.method,
  customer: payment.customer,
  payment_url: paymentUrlOf(ctx, payment),
  locale: payment.locale,
  success_url: payment.successUrl,
  cancel_url: payment.cancelUrl,
  metadata: payment.metadata,
  capture: payment.captureMode,
  methods: payment.status === 'pending' ? [...payment.payableMethods] : [],
  ...(payment.captureMode === 'manual' && {
    amount_captured: capturedOf(payment),
    capture_before: payment.captureBefore?.toISOString() ?? null,
  }),
  created_at: payment.createdAt.toISOString(),
  expires_at: payment.expiresAt.toISOString(),
  cancel_requested_at:
    payment.termination?.reason === 'cancelled' ? payment.termination.since.toISOString() : null,
})

/** The payment as the dashboard sees it. */
export const toDashboard = (payment: ListedPayment, applicationName: string): DashboardPayment => ({
  _id: transactionOf(payment.id),
  paymentId: payment.id,
  applicationId: payment.applicationId,
  applicationName,
  amount: toMajor(payment.amount),
  currency: payment.amount.currency,
  status: payment.status.toUpperCase() as DashboardPayment['status'],
  statusReason: payment.statusReason,
  method: payment.method,
  paymentMethodReference: payment.providerReference,
  purposeDescription: payment.description,
  customerPhoneNumber: payment.customer.phone,
  amountCaptured: capturedOf(payment),
  amountRefunded: toMajor(payment.refunded),
  amountReversed: toMajor(payment.reversed),
  ...feeAndNet(payment),
  createdAt: payment.createdAt.toISOString(),
  updatedAt: payment.updatedAt.toISOString(),
  expiresAt: payment.expiresAt.toISOString(),
  capture: payment.captureMode,
  captureBefore: payment.captureBefore?.toISOString() ?? null,
})

/** A new payment with the link that the merchant passes on. */
export function toCreated(
  ctx: Pick<PaymentCtx, 'config' | 'checkoutLinks'>,
  payment: Payment,
  applicationName: string,
): CreatedPayment {
  const paymentUrl = paymentUrlOf(ctx, payment)
  return { ...toDashboard(payment, applicationName), paymentUrl, paymentQr: drawQr(paymentUrl) }
}

/** The payment as a cashier sees it: without names, and with the end of the payer's number. */
export function toTill(payment: ListedPayment): TillPayment {
  const { _id, paymentId, applicationId, amount, currency, method, status, statusReason, createdAt } =
    toDashboard(payment, '')
  return {
    _id,
    paymentId,
    applicationId,
    amount,
    currency,
    method,
    status,
    statusReason,
    createdAt,
    lastDigits: payment.customer.phone?.replace(/\D/g, '').slice(-4) || null,
    completedAt: payment.completedAt?.toISOString() ?? null,
  }
}

/** One attempt as the dashboard's details show it. */
export const toShownAttempt = (attempt: Attempt, payment: Payment): PaymentAttempt => ({
  startedAt: attempt.createdAt.toISOString(),
  updatedAt: attempt.updatedAt.toISOString(),
  method: attempt.method,
  phone: maskedNumber(attempt),
  outcome: outcomeOf(attempt, payment),
  reason: attempt.failureReason,
  reference: attempt.providerReference,
})

function outcomeOf(attempt: Attempt, payment: Payment): PaymentAttempt['outcome'] {
  const { status } = attempt
  if (status === 'completed' || status === 'failed' || status === 'duplicate' || status === 'authorized')
    return status
  if (status === 'held' || payment.statusReason === 'under_review') return 'under_review'
  return isChecked(attempt, payment) ? 'checking' : 'waiting'
}

/** The refund as the merchant's server sees it. */
export const toPublicRefund = (refund: Refund): PublicRefund => ({
  id: refund.id,
  object: 'refund',
  payment: refund.paymentId,
  status: publicStatusOf(refund),
  failure_reason: refund.failureReason,
  amount: toMajor(refund.amount),
  currency: refund.amount.currency,
  reason: refund.reason,
  reference: refund.providerReference,
  created_at: refund.createdAt.toISOString(),
  updated_at: refund.updatedAt.toISOString(),
})

const publicStatusOf = ({ status }: Refund): PublicRefund['status'] =>
  status === 'completed' || status === 'failed' ? status : 'pending'

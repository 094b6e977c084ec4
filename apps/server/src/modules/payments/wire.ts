import { transactionOf } from '@muripo/contract/ids'
import { toMajor } from '@muripo/contract/money'
import type { DashboardPayment, PublicPayment } from '@muripo/contract/payments'
import type { PaymentsCtx } from './context.ts'
import type { Payment } from './payment.ts'

export const paymentUrlOf = (ctx: PaymentsCtx, payment: Payment): string =>
  `${ctx.config.publicUrl}/pay/${ctx.checkoutLinks.tokenOf(payment.merchantId, payment.id)}`

/** The payment as the merchant's server sees it. */
export const toPublic = (ctx: PaymentsCtx, payment: Payment): PublicPayment => ({
  id: payment.id,
  object: 'payment',
  status: payment.status,
  status_reason: payment.statusReason,
  amount: toMajor(payment.amount),
  amount_refunded: toMajor(payment.refunded),
  currency: payment.amount.currency,
  description: payment.description,
  reference: payment.reference,
  method: payment.method,
  customer: payment.customer,
  payment_url: paymentUrlOf(ctx, payment),
  success_url: payment.successUrl,
  cancel_url: payment.cancelUrl,
  metadata: payment.metadata,
  created_at: payment.createdAt.toISOString(),
  expires_at: payment.expiresAt.toISOString(),
})

/** The payment as the dashboard sees it. */
export const toDashboard = (payment: Payment, applicationName: string): DashboardPayment => ({
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
  amountRefunded: toMajor(payment.refunded),
  fee: null,
  net: null,
  createdAt: payment.createdAt.toISOString(),
  updatedAt: payment.updatedAt.toISOString(),
  expiresAt: payment.expiresAt.toISOString(),
})

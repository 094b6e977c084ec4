export { cancelPayment } from './actions/cancel-payment.ts'
export { misbookedPayments } from './actions/compare-with-ledger.ts'
export { proceedAttempt } from './attempts/actions/check-attempt.ts'
export { canLeave, leaveAttempt } from './attempts/actions/leave-attempt.ts'
export { startAttempt } from './attempts/actions/start-attempt.ts'
export { closesAt, mayFollow, silentAt } from './attempts/open-attempt.ts'
export { createRequestedLookUps, FIRST_REPLY_MS, waitAtMost } from './attempts/requested-look-ups.ts'
export { inGroup, type PaymentsCtx, paymentsCtx } from './context.ts'
export { eraseCustomer } from './customers/actions/erase-customer.ts'
export { exportCustomer } from './customers/actions/export-customer.ts'
export { encryptedNumbers } from './customers/retained-numbers.ts'
export { publicCustomerRoutes } from './customers/routes.ts'
export { paymentTables } from './exported-tables.ts'
export { aggregatePaymentStats, paymentTasks } from './jobs.ts'
export { showPayments } from './listing/actions/show-payments.ts'
export { paymentMetrics } from './metrics.ts'
export { customerOf } from './payment/customer.ts'
export { isUnderway } from './payment/moves.ts'
export {
  type Attempt,
  maskedNumber,
  type Payment,
  paidAmountOf,
  type Refund,
  remainingOf,
} from './payment/payment.ts'
export { type ChargeContext, contextOf, type ProviderReport } from './payment/provider-report.ts'
export type { Anomaly } from './payment/store-anomalies.ts'
export { attemptsOf } from './payment/store-attempts.ts'
export { findPayment } from './payment/store-payment.ts'
export { findUnmailedReceipts, takeReceipts, type UnmailedReceipt } from './payment/store-receipts.ts'
export { refundsOf } from './payment/store-refunds.ts'
export { paymentUrlOf } from './payment/wire.ts'
export { callbackActions, isCallbackToken } from './provider-calls/actions/handle-callback.ts'
export { refundPayment } from './refunds/actions/request-refund.ts'
export { publicRefundRoutes } from './refunds/routes.ts'
export { closeLateRefund, type LateRefundClosed } from './review/actions/close-late-refund.ts'
export { type ReturnRecorded, recordReturn } from './review/actions/record-return.ts'
export { type ReversalReported, reportReversal } from './review/actions/report-reversal.ts'
export {
  type AnomalyResolved,
  type AnomalyVerdict,
  openAnomalies,
  resolveReview,
} from './review/actions/resolve-anomaly.ts'
export {
  attemptsInReview,
  type Resolved,
  resolveAttempt,
  reviewedPayment,
} from './review/actions/resolve-attempt.ts'
export {
  operatorsReason,
  type RefundResolved,
  type RefundVerdict,
  recordBounce,
  resolveRefund,
  showRefund,
  waitingRefunds,
} from './review/actions/resolve-refund.ts'
export type { AttemptInReview, OperatorRefund } from './review/store-in-review.ts'
export { dashboardPaymentRoutes, publicPaymentRoutes } from './routes.ts'
export { volumeOf } from './store-figures.ts'
export { findSameOrder } from './store-same-order.ts'
export { paymentsUnderway } from './store-underway.ts'

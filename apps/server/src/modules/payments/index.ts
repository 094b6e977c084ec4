export { cancelPayment } from './actions/cancel-payment.ts'
export { proceedAttempt } from './actions/check-attempt.ts'
export { closeLateRefund, type LateRefundClosed } from './actions/close-late-refund.ts'
export { misbookedPayments } from './actions/compare-with-ledger.ts'
export { callbackActions, isCallbackToken } from './actions/handle-callback.ts'
export { canLeave, leaveAttempt } from './actions/leave-attempt.ts'
export { ReferenceTakenError } from './actions/prove-by-reference.ts'
export { readDetails } from './actions/read-details.ts'
export { type ReturnRecorded, recordReturn, reversedCharges } from './actions/record-return.ts'
export { type ReversalReported, reportReversal } from './actions/report-reversal.ts'
export { type RequestedOfPayment, refundPayment } from './actions/request-refund.ts'
export { createRequestedLookUps, FIRST_REPLY_MS, waitAtMost } from './actions/requested-look-ups.ts'
export {
  type AnomalyResolved,
  type AnomalyVerdict,
  openAnomalies,
  outcomesOf,
  refusalOfReview,
  resolveReview,
  reviewsOf,
} from './actions/resolve-anomaly.ts'
export {
  attemptsInReview,
  type Resolved,
  resolveAttempt,
  reviewedAttempts,
  reviewedPayment,
} from './actions/resolve-attempt.ts'
export {
  allRefundsOf,
  isReportedReturned,
  manualRefunds,
  operatorsReason,
  type RefundBounced,
  type RefundResolved,
  type RefundVerdict,
  recordBounce,
  refusalOfVerdict,
  resolveRefund,
  showRefund,
  waitingRefunds,
  waitingRefundsOf,
} from './actions/resolve-refund.ts'
export { startAttempt } from './actions/start-attempt.ts'
export { contextOn, type PaymentsCtx, paymentsCtx } from './context.ts'
export { eraseCustomer } from './customers/actions/erase-customer.ts'
export { exportCustomer } from './customers/actions/export-customer.ts'
export { encryptedNumbers } from './customers/retained-numbers.ts'
export { publicCustomerRoutes } from './customers/routes.ts'
export { paymentTables } from './exported-tables.ts'
export { headOf, lines } from './exports/cells.ts'
export { manualCsvHead, manualCsvRows, refundsCsv } from './exports/refunds-csv.ts'
export { aggregatePaymentStats, paymentTasks } from './jobs.ts'
export { showPayments } from './listing/actions/show-payments.ts'
export { type FoundPayment, findAnywhere } from './listing/store-find-anywhere.ts'
export { paymentMetrics } from './metrics.ts'
export { customerOf } from './payment/customer.ts'
export { isUnderway } from './payment/moves.ts'
export { closesAt, dialInOf, mayFollow, silentAt } from './payment/open-attempt.ts'
export {
  type Attempt,
  maskedNumber,
  type Payment,
  paidAmountOf,
  type Refund,
  remainingOf,
} from './payment/payment.ts'
export type { ProviderReport } from './payment/provider-report.ts'
export type { Anomaly } from './payment/state.ts'
export { attemptsOf } from './payment/store-attempts.ts'
export { findPayment } from './payment/store-payment.ts'
export { findUnmailedReceipts, takeReceipts, type UnmailedReceipt } from './payment/store-receipts.ts'
export { refundsOf } from './payment/store-refunds.ts'
export { paymentUrlOf } from './payment/wire.ts'
export { publicRefundRoutes } from './refund-routes.ts'
export {
  type AttemptInReview,
  type ChargeContext,
  contextOf,
  type OperatorRefund,
} from './review/store-in-review.ts'
export { countWaitingRefunds } from './review/store-manual-refunds.ts'
export { dashboardPaymentRoutes, publicPaymentRoutes } from './routes.ts'
export { type Volume, volumeOf, volumeOfDay } from './store-figures.ts'
export { findSameOrder } from './store-same-order.ts'
export { paymentsUnderway } from './store-underway.ts'

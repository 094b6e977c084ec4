export { cancelPayment } from './actions/cancel-payment.ts'
export { misbookedPayments } from './actions/compare-with-ledger.ts'
export { callbackActions, isCallbackToken } from './actions/handle-callback.ts'
export {
  judgeRefund,
  operatorsReason,
  type RefundJudged,
  type RefundVerdict,
  showRefund,
  waitingRefunds,
} from './actions/judge-refund.ts'
export { restOf } from './actions/open-refund.ts'
export { refundPayment } from './actions/refund-payment.ts'
export {
  type AnomalyResolved,
  type AnomalyVerdict,
  openAnomalies,
  resolveReview,
} from './actions/resolve-anomaly.ts'
export {
  attemptsInReview,
  type Resolved,
  resolveAttempt,
  reviewedCurrency,
} from './actions/review-attempts.ts'
export { type RefundSettled, settleRefund } from './actions/settle-refund.ts'
export { startAttempt } from './actions/start-attempt.ts'
export { type PaymentsCtx, paymentsCtx } from './context.ts'
export { publicCustomerRoutes } from './customer-routes.ts'
export { aggregatePaymentStats, paymentTasks } from './jobs.ts'
export { showPayments } from './listing/actions/show-payments.ts'
export { isUnderway } from './machine.ts'
export { type Attempt, maskedNumber, type Payment } from './payment.ts'
export { publicRefundRoutes } from './refund-routes.ts'
export { dashboardPaymentRoutes, publicPaymentRoutes } from './routes.ts'
export { findPayment } from './store.ts'
export type { Anomaly } from './store-anomalies.ts'
export { attemptsOf } from './store-attempts.ts'
export type { RefundAtDesk } from './store-refund-desk.ts'
export type { AttemptInReview } from './store-review.ts'
export { volumeOf } from './store-volume.ts'

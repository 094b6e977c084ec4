import type { Reviews } from '@muripo/contract/console-reviews'
import { toMajor } from '@muripo/contract/money'
import type { Ctx } from '../../../platform/ctx.ts'
import {
  type Anomaly,
  type AttemptInReview,
  contextOf,
  isReportedReturned,
  maskedNumber,
  type OperatorRefund,
  outcomesOf,
} from '../../payments/index.ts'
import { maskedText } from './masked.ts'

const ofShop = (item: AttemptInReview | OperatorRefund) => ({
  merchantId: item.accountId,
  paymentId: item.paymentId,
  shopName: item.shopName,
  amount: toMajor(item.amount),
  currency: item.amount.currency,
  since: item.createdAt.toISOString(),
  provider: item.provider,
  providerStatus: item.providerStatus,
  method: item.method,
  phone: maskedNumber(item),
  isTest: item.isTest,
})

export const attemptToWire = (attempt: AttemptInReview): Reviews['attempts'][number] => ({
  ...ofShop(attempt),
  attemptId: attempt.id,
  heldBecause: attempt.heldBecause,
  providerReference: attempt.providerReference,
})

export async function anomalyToWire(
  ctx: Pick<Ctx, 'db'>,
  anomaly: Anomaly,
): Promise<Reviews['anomalies'][number]> {
  const { provider, report, refusedRefunds } = await contextOf(ctx, anomaly)
  return {
    merchantId: anomaly.accountId,
    paymentId: anomaly.paymentId,
    currency: anomaly.currency,
    since: anomaly.openedAt.toISOString(),
    provider,
    providerStatus: anomaly.providerStatus,
    anomalyId: anomaly.id,
    kind: anomaly.kind,
    amount: anomaly.amount && toMajor(anomaly.amount),
    refundId: anomaly.refundId,
    outcomes: [...outcomesOf(anomaly)],
    report: report && {
      says: report.providerStatus,
      amount: report.echo && toMajor(report.echo),
      at: report.at.toISOString(),
    },
    refusedRefunds: anomaly.kind === 'reversed' ? [...refusedRefunds] : [],
  }
}

export const refundToWire = (refund: OperatorRefund): Reviews['refunds'][number] => ({
  ...ofShop(refund),
  refundId: refund.id,
  status: refund.status,
  origin: refund.origin,
  reason: refund.reason && maskedText(refund.reason),
  chargeReference: refund.chargeReference,
  reference: refund.reference,
  isWaiting: refund.isWaiting,
  isPaidLate: refund.isPaidLate,
  isReturned: isReportedReturned(refund),
  bouncedAt: refund.bouncedAt?.toISOString() ?? null,
  changedAt: refund.updatedAt.toISOString(),
})

import type { AnomalyId, PaymentId } from '@muripo/contract/ids'
import { type Money, toDecimal } from '@muripo/contract/money'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { invariant } from '../../../../platform/errors.ts'
import { applyOutcome } from '../../attempts/actions/apply-outcome.ts'
import type { PaymentsCtx } from '../../context.ts'
import { captureOrderOf } from '../../payment/instruction.ts'
import { isBooked } from '../../payment/moves.ts'
import type { CallOutcome } from '../../payment/outcome.ts'
import type { Attempt, LockedPayment, Refund } from '../../payment/payment.ts'
import { type PaymentState, readState } from '../../payment/state.ts'
import {
  type Anomaly,
  anomaliesOf,
  findOpenAnomalies,
  resolveAnomaly,
} from '../../payment/store-anomalies.ts'
import { findAttempt } from '../../payment/store-attempts.ts'
import { lockPayment } from '../../payment/store-payment.ts'
import { findRefund } from '../../payment/store-refunds.ts'
import { applyRefundOutcomeIn } from '../../refunds/actions/apply-refund-outcome.ts'
import { bounceRefund } from '../../refunds/actions/bounce-refund.ts'
import { bookReportedAmount, type ReportedAmount } from './book-reported-amount.ts'
import { bookReversal, dismissReversal } from './book-reversal.ts'
import { proveByReference } from './prove-by-reference.ts'

export const openAnomalies = (ctx: Pick<Ctx, 'db'>, limit: number): Promise<Anomaly[]> =>
  findOpenAnomalies(ctx.db.kysely, { limit })

/**
 * completed: the failed call was paid after all, under this reference. reversed: the completed charge was reversed, by this amount.
 * bounced: the amount of the completed refund came back, and is owed to the payer again. differs: the provider has charged or refunded this
 * amount in all, which differs from the booked one. unchanged: the records are right, and no money has moved.
 */
export type AnomalyVerdict =
  | { readonly kind: 'completed'; readonly reference: string }
  | { readonly kind: 'reversed'; readonly amount: Money; readonly reason: string }
  | { readonly kind: 'bounced'; readonly reason: string }
  | ({ readonly kind: 'differs' } & ReportedAmount)
  | { readonly kind: 'unchanged'; readonly reason: string }

/** unfit: the verdict does not fit the kind of the anomaly. too_much: more than the remaining amount. */
export type AnomalyResolved = 'done' | 'none' | 'several' | 'unfit' | 'too_much'

/** Resolves an anomaly. A moved amount is booked in the same commit. */
export async function resolveReview(
  ctx: PaymentsCtx,
  operator: Actor,
  paymentId: PaymentId,
  anomalyId: AnomalyId | null,
  verdict: AnomalyVerdict,
): Promise<AnomalyResolved> {
  const found = await findOpenAnomalies(ctx.db.kysely, { paymentId, limit: 100 })
  const meant = anomalyId === null ? found : found.filter(({ id }) => id === anomalyId)
  const [named] = meant
  if (!named) return 'none'
  if (meant.length > 1) return 'several'
  // applyOutcome applies a late success in its own transaction; the anomaly is resolved after it, and a crash in between leaves it open.
  if (verdict.kind === 'completed' && named.refundId === null) {
    const state = await readState(ctx.db.kysely, named.accountId, paymentId)
    const attempt = state?.attempts.find(({ id }) => id === named.attemptId)
    if (state && attempt?.status === 'failed')
      await applyOutcome(
        ctx,
        attempt,
        paidOutcome({ amount: chargedBy(state, attempt) }, verdict.reference),
        {
          alongside: (tx) => proveByReference(ctx, tx, attempt, verdict.reference),
        },
      )
  }
  return ctx.db.tx(async (tx) => {
    const payment = await lockPayment(tx, named.accountId, paymentId)
    const anomaly = (await anomaliesOf(tx, named.accountId, paymentId)).find(({ id }) => id === named.id)
    const attempt = await findAttempt(tx, named.accountId, named.attemptId)
    const refund = named.refundId && (await findRefund(tx, named.accountId, named.refundId))
    invariant(payment && anomaly && attempt, 'what is reviewed is never deleted')
    if (anomaly.resolution !== null) return 'none'
    const about = { payment, anomaly, attempt, refund }
    if (verdict.kind === 'completed')
      await proveByReference(
        ctx,
        tx,
        { ...(refund ?? attempt), provider: attempt.provider },
        verdict.reference,
      )
    const result = await book(ctx, tx, operator, about, verdict)
    if (result !== 'done') return result
    const booked = verdict.kind === 'reversed' ? verdict.amount : null
    const resolution = verdict.kind === 'differs' ? 'booked' : undefined
    await resolveAnomaly(tx, anomaly, { at: payment.lockedAt, booked, resolution })
    await audit(ctx, tx, operator, {
      action: 'payment.anomaly_resolved',
      subject: paymentId,
      accountId: named.accountId,
      details: {
        anomaly: anomaly.kind,
        verdict: verdict.kind,
        ...(booked && { amount: toDecimal(booked) }),
        ...(verdict.kind === 'differs' && { amount: toDecimal(verdict.total), to: verdict.to }),
        ...(verdict.kind === 'completed' ? { reference: verdict.reference } : { reason: verdict.reason }),
      },
    })
    return 'done'
  })
}

interface About {
  readonly payment: LockedPayment
  readonly anomaly: Anomaly
  readonly attempt: Attempt
  readonly refund: Refund | null
}

async function book(
  ctx: PaymentsCtx,
  tx: Tx,
  operator: Actor,
  about: About,
  verdict: AnomalyVerdict,
): Promise<AnomalyResolved> {
  const { payment, anomaly, attempt, refund } = about
  if (verdict.kind === 'unchanged') {
    const wasReported = anomaly.kind === 'reversed' || anomaly.kind === 'contradicted'
    if (wasReported && attempt.status === 'completed' && refund === null)
      await dismissReversal(ctx, tx, payment, anomaly.amount)
    return 'done'
  }
  if (verdict.kind === 'differs') return bookReportedAmount(ctx, tx, operator, about, verdict)
  if (anomaly.kind === 'amount_differs') return 'unfit'
  const { accountId } = payment
  if (verdict.kind === 'completed') {
    // A capture without an instruction is held: it is listed as an attempt from now on.
    if (refund === null)
      return isBooked(attempt.status) || (payment.captureMode === 'manual' && attempt.status === 'held')
        ? 'done'
        : 'unfit'
    if (refund.status !== 'failed') return 'unfit'
    await applyRefundOutcomeIn(ctx, tx, accountId, refund.id, paidOutcome(refund, verdict.reference))
    return 'done'
  }
  if (verdict.kind === 'bounced') {
    if (refund?.status !== 'completed') return 'unfit'
    await bounceRefund(ctx, tx, { payment, refund, charge: attempt }, verdict.reason)
    return 'done'
  }
  if (refund !== null || !isBooked(attempt.status)) return 'unfit'
  const isBookable = await bookReversal(ctx, tx, { payment, attempt }, anomaly, verdict.amount)
  return isBookable ? 'done' : 'too_much'
}

/** The amount that a late success has to have: that of the instruction, where one orders a capture. */
function chargedBy(state: PaymentState, attempt: Attempt): Money {
  const order = captureOrderOf(state, attempt)
  return order?.kind === 'capture' ? order.amount : attempt.amount
}

const paidOutcome = ({ amount }: Pick<Attempt, 'amount'>, reference: string): CallOutcome => ({
  kind: 'reply',
  keepsState: true,
  reply: {
    kind: 'reply',
    outcome: 'completed',
    providerStatus: 'completed, says an operator',
    providerReference: reference,
    state: {},
    echo: amount,
    reason: null,
  },
})

import type { AnomalyId, PaymentId } from '@muripo/contract/ids'
import { type Money, subtract, toDecimal } from '@muripo/contract/money'
import { type Actor, systemActor } from '../../../platform/audit/actor.ts'
import type { AuditEntry } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { invariant } from '../../../platform/errors.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { clearing, newAdjustment, toSuspense } from '../../ledger/index.ts'
import type { PaymentsCtx } from '../context.ts'
import { changePayment, type Decided } from '../payment/commit.ts'
import { bookedAmount, bookedRefund } from '../payment/decide/booked.ts'
import { bounceRefund } from '../payment/decide/bounce.ts'
import { decideRefund } from '../payment/decide/refund-reply.ts'
import { bookReversal, dismissReversal } from '../payment/decide/reversal.ts'
import { both, type Effects, nothing } from '../payment/effects.ts'
import { captureOrderOf } from '../payment/instruction.ts'
import { isBooked } from '../payment/moves.ts'
import type { CallOutcome } from '../payment/outcome.ts'
import type { Attempt, Refund } from '../payment/payment.ts'
import {
  type Anomaly,
  attemptIn,
  type PaymentState,
  refundIn,
  type WholeState,
  wholeOf,
} from '../payment/state.ts'
import { findOpenAnomalies } from '../payment/store-anomalies.ts'
import { findAttempt } from '../payment/store-attempts.ts'
import { findRefund } from '../payment/store-refunds.ts'
import type { Cause } from '../review/store-references.ts'
import { applyOutcome } from './apply-outcome.ts'
import { proveByReference } from './prove-by-reference.ts'

export const openAnomalies = (ctx: Pick<Ctx, 'db'>, limit: number): Promise<Anomaly[]> =>
  findOpenAnomalies(ctx.db.kysely, { limit })

export const reviewsOf = (ctx: Pick<Ctx, 'db'>, paymentId: PaymentId): Promise<Anomaly[]> =>
  findOpenAnomalies(ctx.db.kysely, { paymentId, limit: 100 })

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

/** The verdicts that fit a review. `unchanged` fits each, because the provider's word may have been wrong. */
export function outcomesOf({
  kind,
  refundId,
}: Pick<Anomaly, 'kind' | 'refundId'>): readonly AnomalyVerdict['kind'][] {
  if (kind === 'amount_differs') return ['differs', 'unchanged']
  if (kind !== 'reversed' && kind !== 'contradicted' && kind !== 'reference_repeated')
    return ['completed', 'unchanged']
  return [refundId === null ? 'reversed' : 'bounced', 'unchanged']
}

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
  const found = await reviewsOf(ctx, paymentId)
  const meant = anomalyId === null ? found : found.filter(({ id }) => id === anomalyId)
  const [named] = meant
  if (!named) return 'none'
  if (meant.length > 1) return 'several'
  const prove = async (tx: Tx): Promise<void> => {
    if (verdict.kind === 'completed')
      await proveByReference(ctx, tx, await causeOf(tx, named), verdict.reference)
  }
  const read = () => wholeOf(ctx.db.kysely, { accountId: named.accountId, paymentId })
  // A late success is applied in a commit of its own; the anomaly is resolved after it, and a crash in between leaves it open.
  if (verdict.kind === 'completed' && named.refundId === null) {
    const state = await read()
    const attempt = attemptIn(state, named.attemptId)
    const outcome = paidOutcome({ amount: chargedBy(state, attempt) }, verdict.reference)
    if (attempt.status === 'failed')
      await applyOutcome(ctx, attempt, outcome, { alongside: { first: prove } })
  }
  const decide = (state: WholeState): Decided<AnomalyResolved> => {
    const anomaly = state.anomalies.find(({ id }) => id === named.id)
    invariant(anomaly, 'what is reviewed is never deleted')
    if (anomaly.resolution !== null) return { effects: null, result: () => 'none' }
    const booked = book(ctx, operator, aboutOf(state, anomaly), verdict)
    if (typeof booked === 'string') return { effects: null, result: () => booked }
    const amount = verdict.kind === 'reversed' ? verdict.amount : null
    const isBooked = amount !== null || verdict.kind === 'differs'
    const change = {
      resolvedAt: state.at,
      resolution: isBooked ? 'booked' : 'nothing_moved',
      booked: amount,
    } as const
    const resolved: Effects = {
      changedAnomalies: [{ before: anomaly, change }],
      audited: [{ actor: operator, entry: entryOf(anomaly, verdict) }],
    }
    return { effects: both(booked, resolved), result: () => 'done' }
  }
  return changePayment(ctx, read, decide, { alongside: { first: prove } })
}

/** The charge or the refund of an anomaly, whose success a reference proves. */
async function causeOf(tx: Tx, { accountId, attemptId, refundId }: Anomaly): Promise<Cause> {
  const attempt = await findAttempt(tx, accountId, attemptId)
  const refund = refundId && (await findRefund(tx, accountId, refundId))
  invariant(attempt, 'what is reviewed is never deleted')
  return { ...(refund ?? attempt), provider: attempt.provider }
}

const entryOf = ({ accountId, paymentId, kind }: Anomaly, verdict: AnomalyVerdict): AuditEntry => ({
  action: 'payment.anomaly_resolved',
  subject: paymentId,
  accountId,
  details: {
    anomaly: kind,
    verdict: verdict.kind,
    ...(verdict.kind === 'reversed' && { amount: toDecimal(verdict.amount) }),
    ...(verdict.kind === 'differs' && { amount: toDecimal(verdict.total), to: verdict.to }),
    ...(verdict.kind === 'completed' ? { reference: verdict.reference } : { reason: verdict.reason }),
  },
})

interface About {
  readonly state: WholeState
  readonly anomaly: Anomaly
  readonly attempt: Attempt
  readonly refund: Refund | null
}

const aboutOf = (state: WholeState, anomaly: Anomaly): About => ({
  state,
  anomaly,
  attempt: attemptIn(state, anomaly.attemptId),
  refund: anomaly.refundId === null ? null : refundIn(state, anomaly.refundId).refund,
})

/** The reason why the verdict does not fit the payment as it is; null when it does. A late success is judged when it is applied. */
export async function refusalOfReview(
  ctx: PaymentsCtx,
  anomaly: Anomaly,
  verdict: AnomalyVerdict,
): Promise<'unfit' | 'too_much' | null> {
  if (verdict.kind === 'completed') return null
  const state = await wholeOf(ctx.db.kysely, anomaly)
  const booked = book(ctx, systemActor('reviews'), aboutOf(state, anomaly), verdict)
  return typeof booked === 'string' ? booked : null
}

/** The effects of a verdict, or the reason why it has none. */
function book(
  ctx: PaymentsCtx,
  operator: Actor,
  about: About,
  verdict: AnomalyVerdict,
): Effects | 'unfit' | 'too_much' {
  const { state, anomaly, attempt, refund } = about
  if (verdict.kind === 'unchanged') {
    const wasReported = anomaly.kind === 'reversed' || anomaly.kind === 'contradicted'
    const isReported = wasReported && attempt.status === 'completed' && refund === null
    return isReported ? dismissReversal(anomaly.amount) : nothing
  }
  if (verdict.kind === 'differs') return bookReportedAmount(ctx, operator, about, verdict)
  if (anomaly.kind === 'amount_differs') return 'unfit'
  if (verdict.kind === 'completed') {
    // A capture without an instruction is held: it is listed as an attempt from now on.
    if (refund === null)
      return isBooked(attempt.status) || (state.payment.captureMode === 'manual' && attempt.status === 'held')
        ? nothing
        : 'unfit'
    if (refund.status !== 'failed') return 'unfit'
    return (
      decideRefund(ctx, refundIn(state, refund.id), paidOutcome(refund, verdict.reference)).effects ?? nothing
    )
  }
  if (verdict.kind === 'bounced') {
    if (refund?.status !== 'completed') return 'unfit'
    return bounceRefund(ctx, refundIn(state, refund.id), verdict.reason).effects
  }
  if (refund !== null || !isBooked(attempt.status)) return 'unfit'
  return bookReversal(state, attempt, anomaly, verdict.amount) ?? 'too_much'
}

/** The whole amount that the provider has charged or refunded. to: the side of the difference, the merchant's for a second capture. */
interface ReportedAmount {
  readonly total: Money
  readonly to: 'suspense' | 'merchant'
  readonly reason: string
}

/**
 * Books the difference between the amount at the provider and the booked one, so that clearing equals the money at the provider. Only an
 * amount that was captured besides is the merchant's.
 */
function bookReportedAmount(
  ctx: PaymentsCtx,
  actor: Actor,
  { state, anomaly, attempt, refund }: About,
  { total, to, reason }: ReportedAmount,
): Effects | 'unfit' {
  const isDone = refund ? refund.status === 'completed' : isBooked(attempt.status)
  if (anomaly.kind !== 'amount_differs' || !isDone) return 'unfit'
  const { provider } = attempt
  const difference = refund
    ? subtract(bookedRefund(state, refund, provider), total)
    : subtract(total, bookedAmount(state, attempt))
  const isSecondCapture = refund === null && attempt.status === 'completed' && difference.minor > 0n
  if (to === 'merchant' && !isSecondCapture) return 'unfit'
  const transfer = toSuspense(clearing(provider), difference)
  if (transfer === null) return 'unfit'
  const { accountId, id: paymentId } = state.payment
  const adjustment = newAdjustment(ctx, accountId, {
    ...transfer,
    ...(to === 'merchant' && { credit: 'merchant.payable' as const }),
    paymentId,
    reason,
    causeId: uuidOf((refund ?? attempt).id),
    actor,
  })
  return { adjustments: [adjustment] }
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

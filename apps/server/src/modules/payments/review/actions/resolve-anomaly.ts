import type { AnomalyId, PaymentId } from '@muripo/contract/ids'
import { type Money, toDecimal } from '@muripo/contract/money'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { invariant } from '../../../../platform/errors.ts'
import { adjust, clearing } from '../../../ledger/index.ts'
import { applyOutcome } from '../../attempts/actions/apply-outcome.ts'
import { findAttempt } from '../../attempts/store-attempts.ts'
import { captureOrderOf } from '../../captures/instruction.ts'
import type { PaymentsCtx } from '../../context.ts'
import { isBooked } from '../../machine.ts'
import { type Attempt, type LockedPayment, paidAmountOf, type Refund } from '../../payment.ts'
import { type PaymentState, readState } from '../../payment-state.ts'
import type { CallOutcome } from '../../provider-calls/outcome.ts'
import { applyRefundOutcomeIn } from '../../refunds/actions/apply-refund-outcome.ts'
import { findRefund } from '../../refunds/store-refunds.ts'
import { lockPayment } from '../../store.ts'
import {
  type Anomaly,
  anomaliesOf,
  bookedOf,
  findOpenAnomalies,
  paidBackOf,
  resolveAnomaly,
} from '../store-anomalies.ts'

export const openAnomalies = (ctx: Pick<Ctx, 'db'>, limit: number): Promise<Anomaly[]> =>
  findOpenAnomalies(ctx.db.kysely, { limit })

/**
 * completed: the failed call was paid after all, under this reference. reversed: the completed call was reversed, by this amount.
 * unchanged: the records are right, and no money has moved.
 */
export type AnomalyVerdict =
  | { readonly kind: 'completed'; readonly reference: string }
  | { readonly kind: 'reversed'; readonly amount: Money; readonly reason: string }
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
      await applyOutcome(ctx, attempt, paidOutcome({ amount: chargedBy(state, attempt) }, verdict.reference))
  }
  return ctx.db.tx(async (tx) => {
    const payment = await lockPayment(tx, named.accountId, paymentId)
    const anomaly = (await anomaliesOf(tx, named.accountId, paymentId)).find(({ id }) => id === named.id)
    const attempt = await findAttempt(tx, named.accountId, named.attemptId)
    const refund = named.refundId && (await findRefund(tx, named.accountId, named.refundId))
    invariant(payment && anomaly && attempt, 'what is reviewed is never deleted')
    if (anomaly.resolution !== null) return 'none'
    const about = { payment, attempt, refund }
    const result = await book(ctx, tx, operator, about, verdict)
    if (result !== 'done') return result
    const booked = verdict.kind === 'reversed' ? verdict.amount : null
    await resolveAnomaly(tx, anomaly, { at: payment.lockedAt, booked })
    await audit(ctx, tx, operator, {
      action: 'payment.anomaly_resolved',
      subject: paymentId,
      accountId: named.accountId,
      details: {
        anomaly: anomaly.kind,
        verdict: verdict.kind,
        ...(booked && { amount: toDecimal(booked) }),
        ...(verdict.kind === 'completed' ? { reference: verdict.reference } : { reason: verdict.reason }),
      },
    })
    return 'done'
  })
}

interface About {
  readonly payment: LockedPayment
  readonly attempt: Attempt
  readonly refund: Refund | null
}

async function book(
  ctx: PaymentsCtx,
  tx: Tx,
  operator: Actor,
  { payment, attempt, refund }: About,
  verdict: AnomalyVerdict,
): Promise<AnomalyResolved> {
  if (verdict.kind === 'unchanged') return 'done'
  const { accountId, id: paymentId } = payment
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
  const { amount, reason } = verdict
  const isDone = refund ? refund.status === 'completed' : isBooked(attempt.status)
  if (!isDone) return 'unfit'
  const paidBack = refund ? 0n : await paidBackOf(tx, accountId, attempt.id)
  const booked = bookedOf(await anomaliesOf(tx, accountId, paymentId), attempt.id, refund?.id ?? null)
  // A payment may have been captured in part; its other attempts, such as a duplicate, were not.
  const moved = refund?.amount ?? (attempt.status === 'completed' ? paidAmountOf(payment) : attempt.amount)
  if (amount.minor <= 0n || amount.minor > moved.minor - paidBack - booked) return 'too_much'
  const account = clearing(attempt.provider)
  // The amount of a duplicate is owed to its payer, and never was the merchant's.
  const other =
    refund?.origin === 'duplicate' || attempt.status === 'duplicate' ? 'suspense' : 'merchant.payable'
  const ways = refund
    ? ({ debit: account, credit: other } as const)
    : ({ debit: other, credit: account } as const)
  await adjust(ctx, tx, accountId, operator, { ...ways, amount, paymentId, reason })
  return 'done'
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

import type { AccountId, RefundId } from '@muripo/contract/ids'
import { add, equals, subtract } from '@muripo/contract/money'
import { plusMs } from '../../../../platform/clock.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { invariant } from '../../../../platform/errors.ts'
import { uuidOf } from '../../../../platform/ids.ts'
import { clearing, type Transfer } from '../../../ledger/index.ts'
import type { Reply } from '../../../providers/index.ts'
import type { PaymentsCtx } from '../../context.ts'
import { applyChange, type ChangeSet } from '../../payment/commit.ts'
import { decideRefund, type RefundDecision } from '../../payment/decide/refund-reply.ts'
import { afterMove } from '../../payment/moves.ts'
import {
  type CallOutcome,
  factsOf,
  type LookedUp,
  type OperatorRefundDecision,
} from '../../payment/outcome.ts'
import {
  type Attempt,
  type LockedPayment,
  type Payment,
  paidAmountOf,
  type Refund,
} from '../../payment/payment.ts'
import { newWatch, nextCheckAt } from '../../payment/schedule.ts'
import { findAttempt } from '../../payment/store-attempts.ts'
import { lockPayment, type PaymentChange } from '../../payment/store-payment.ts'
import { changedRefund, findRefund, type RefundChange, updateRefund } from '../../payment/store-refunds.ts'
import { toPublicRefund } from '../../payment/wire.ts'
import { nextWatch, openUnresolved } from '../../provider-calls/actions/watch-failed.ts'
import { findWatch } from '../../provider-calls/store-watched.ts'
import { isFinal, openAnomaly } from '../../review/actions/open-anomaly.ts'
import { reviewRefundReference } from '../../review/actions/prove-by-reference.ts'
import { differenceOf, reconsiderReturned } from '../../review/actions/review-charge.ts'
import { bookedRefund } from '../../review/store-booked.ts'

/** Decisions whose change set depends on the payment, the refund and its charge alone. */
type RefundOutcomeDecision = Exclude<RefundDecision, { kind: 'keep' | 'review' | 'watch' }>

/** A locked payment, one of its refunds, and the charge that the refund belongs to. */
interface LockedRefund {
  readonly payment: LockedPayment
  readonly refund: Refund
  readonly charge: Attempt
}

/**
 * The only function that changes a refund because of an outcome: a reply, a look-up, or an operator's decision. A repeated outcome changes
 * nothing.
 * @returns whether the outcome is final. False while a repeated report about a completed refund waits
 */
export function applyRefundOutcome(
  ctx: PaymentsCtx,
  accountId: AccountId,
  refundId: RefundId,
  outcome: CallOutcome | OperatorRefundDecision,
): Promise<boolean> {
  return ctx.db.tx((tx) => applyRefundOutcomeIn(ctx, tx, accountId, refundId, outcome))
}

/** Applies the outcome in the caller's transaction, and compares what the provider has returned of the charge again. */
export async function applyRefundOutcomeIn(
  ctx: PaymentsCtx,
  tx: Tx,
  accountId: AccountId,
  refundId: RefundId,
  outcome: CallOutcome | OperatorRefundDecision,
): Promise<boolean> {
  const state = await lockRefund(tx, accountId, refundId)
  const { payment, charge } = state
  const decision = decideRefund(state, outcome, payment.lockedAt)
  switch (decision.kind) {
    case 'keep':
      return true
    case 'review':
      return reviewBookedRefund(ctx, tx, state, decision.reply)
    case 'watch':
      await watchOn(ctx, tx, state, decision.outcome)
      return true
    default: {
      const set = refundOutcomeChange(ctx, state, decision)
      await applyChange(ctx, tx, set)
      warn(ctx, state, decision, set)
      const isOver = decision.kind === 'complete' || decision.kind === 'fail' || decision.kind === 'paid late'
      if (isOver) await reconsiderReturned(ctx, tx, charge)
      if (decision.kind === 'complete' && outcome.kind === 'reply')
        await reviewRefundReference(
          ctx,
          tx,
          { payment, attempt: charge, refund: state.refund },
          outcome.reply.providerReference,
        )
      return true
    }
  }
}

/** The refund stays completed; an operator reviews a reply that denies it, or that names another amount. */
async function reviewBookedRefund(
  ctx: PaymentsCtx,
  tx: Tx,
  { payment, refund, charge }: LockedRefund,
  { outcome, providerStatus, echo: amount }: Reply,
): Promise<boolean> {
  const about = { payment, attempt: charge, refund }
  // A bounced refund is over: its provider contradicts that by any word of a payment.
  if (outcome === 'failed' || outcome === 'reversed' || refund.bouncedAt !== null)
    return isFinal(await openAnomaly(ctx, tx, { ...about, kind: 'contradicted', providerStatus }))
  const booked = await bookedRefund(tx, refund, charge.provider)
  if (amount === null || equals(amount, booked)) return true
  const differs = differenceOf({ amount, booked, providerStatus })
  return isFinal(await openAnomaly(ctx, tx, { ...about, kind: 'amount_differs', ...differs }))
}

/** Locks the payment of a refund, and reads the refund and its charge behind the lock. */
async function lockRefund(tx: Tx, accountId: AccountId, id: RefundId): Promise<LockedRefund> {
  const seen = await findRefund(tx, accountId, id)
  invariant(seen, 'a refund is recorded before its provider is called')
  const payment = await lockPayment(tx, accountId, seen.paymentId)
  const refund = await findRefund(tx, accountId, id)
  const charge = await findAttempt(tx, accountId, seen.attemptId)
  invariant(payment && refund && charge, 'payments, refunds and attempts are never deleted')
  return { payment, refund, charge }
}

/** The parts of a change set that depend on the decision. */
interface Parts {
  readonly refund: RefundChange
  readonly transfer?: Pick<Transfer, 'kind' | 'debit' | 'credit'>
  /** A change that the merchant sees: an event reports the payment and the refund after it. */
  readonly payment?: PaymentChange
}

/** The change set of a decision about one refund. */
function refundOutcomeChange(
  ctx: Pick<PaymentsCtx, 'ids' | 'providers'>,
  state: LockedRefund,
  decision: RefundOutcomeDecision,
): ChangeSet {
  const { payment, refund } = state
  const at = payment.lockedAt
  const parts = partsOf(ctx, state, decision)
  const change = { ...decision.facts, ...(refund.isDeferred && { isDeferred: false }), ...parts.refund }
  const transfer = { amount: refund.amount, paymentId: payment.id, causeId: uuidOf(refund.id) }
  return {
    payment,
    at,
    refund: { before: refund, change },
    ...(parts.transfer && { transfers: [{ ...parts.transfer, ...transfer }] }),
    ...(parts.payment && {
      change: parts.payment,
      event: {
        type: change.status === 'completed' ? 'payment.refunded' : 'refund.failed',
        besides: { refund: toPublicRefund(changedRefund(refund, change, at)) },
      },
    }),
  }
}

function partsOf(
  ctx: Pick<PaymentsCtx, 'ids' | 'providers'>,
  state: LockedRefund,
  decision: RefundOutcomeDecision,
): Parts {
  const { payment, refund, charge } = state
  const at = payment.lockedAt
  const released = { refundPending: subtract(payment.refundPending, refund.amount) }
  switch (decision.kind) {
    case 'wait':
      return { refund: { status: decision.status, nextCheckAt: nextCheckOf(ctx, refund, charge, at) } }
    case 'defer':
      return { refund: { isDeferred: true, nextCheckAt: plusMs(at, decision.retryAfterMs) } }
    case 'mismatch':
      return { refund: { status: 'unknown', nextCheckAt: null } }
    case 'hand over':
      return {
        refund: { status: 'awaiting_operator', failureReason: decision.reason, nextCheckAt: null },
      }
    case 'unclaimed':
      return {
        refund: {
          status: 'failed',
          failureReason: 'declined',
          unclaimedAt: at,
          nextCheckAt: null,
          ...watchOf(ctx, state, refund.status !== 'awaiting_operator'),
        },
        transfer: { kind: 'unclaimed', debit: 'refunds.payable', credit: 'unclaimed.payable' },
      }
    case 'paid late':
      return { refund: { paidLateAt: refund.paidLateAt ?? at, nextWatchAt: null } }
    case 'complete': {
      const paid = { kind: 'refund_paid', credit: clearing(charge.provider) } as const
      const change = { status: 'completed', nextCheckAt: null, ...afterFailure(refund) } as const
      if (decision.isLate)
        return {
          refund: change,
          transfer: { ...paid, debit: 'merchant.payable' },
          payment: refundedBy(payment, refund),
        }
      return {
        refund: change,
        transfer: { ...paid, debit: refund.unclaimedAt ? 'unclaimed.payable' : 'refunds.payable' },
        // The amount of a duplicate was never in the merchant's balance.
        ...(refund.origin !== 'duplicate' && { payment: { ...refundedBy(payment, refund), ...released } }),
      }
    }
    case 'fail': {
      const failed = { status: 'failed', failureReason: decision.reason, nextCheckAt: null } as const
      return {
        refund: { ...failed, ...watchOf(ctx, state, decision.wasSent) },
        transfer: { kind: 'refund_released', debit: 'refunds.payable', credit: 'merchant.payable' },
        payment: released,
      }
    }
  }
}

/** The provider may pay a failed refund that it has received. */
const watchOf = (
  ctx: Pick<PaymentsCtx, 'ids' | 'providers'>,
  { payment, charge }: LockedRefund,
  wasSent: boolean,
): RefundChange =>
  wasSent && ctx.providers.canLookUpRefund(charge.provider) ? newWatch(payment.lockedAt, ctx.ids) : {}

/** A failed refund that is paid after all is neither watched nor listed as paid late any more. */
const afterFailure = ({ status }: Refund): RefundChange =>
  status === 'failed' ? { failureReason: null, nextWatchAt: null, paidLateAt: null, settledAt: null } : {}

const refundedBy = (payment: Payment, refund: Refund): PaymentChange => {
  const refunded = add(payment.refunded, refund.amount)
  return {
    refunded,
    ...(equals(refunded, paidAmountOf(payment)) && { status: afterMove(payment.status, 'refund') }),
  }
}

/** A refund that an operator reviews stays there until an outcome resolves it. */
const nextCheckOf = (
  ctx: Pick<PaymentsCtx, 'ids' | 'providers'>,
  refund: Refund,
  charge: Attempt,
  at: Date,
): Date | null =>
  refund.nextCheckAt && nextCheckAt(refund.createdAt, at, ctx.providers.minPollMs(charge.provider), ctx.ids)

/** Records a look-up of a failed refund that its provider has not paid. */
async function watchOn(
  ctx: PaymentsCtx,
  tx: Tx,
  { payment, refund, charge }: LockedRefund,
  outcome: LookedUp,
): Promise<void> {
  const next = nextWatch(ctx, await findWatch(tx, 'refunds', refund), outcome, payment.lockedAt)
  if (next === null) return
  const { isUnresolved, ...change } = next
  const isPending = outcome.kind === 'reply' && outcome.reply.outcome === 'pending'
  const facts = isPending ? factsOf(outcome.reply, refund, true) : {}
  await updateRefund(tx, refund, { ...facts, ...change }, payment.lockedAt)
  if (isUnresolved) await openUnresolved(ctx, tx, { payment, attempt: charge, refund }, outcome)
}

/** Decisions that leave a refund to an operator, or that contradict the provider's earlier answer, are logged as errors. */
function warn(
  ctx: PaymentsCtx,
  { payment, refund }: LockedRefund,
  decision: RefundOutcomeDecision,
  set: ChangeSet,
): void {
  const ids = { refundId: refund.id, paymentId: payment.id }
  if (decision.kind === 'mismatch')
    ctx.log.error(ids, 'the provider refunded another amount than requested; an operator has to decide')
  if (decision.kind === 'paid late' || (decision.kind === 'complete' && decision.isLate))
    ctx.log.error(
      { ...ids, booked: decision.kind === 'complete' },
      'a provider paid a refund that it had refused',
    )
  if (decision.kind === 'hand over')
    ctx.log.error(
      { ...ids, reason: decision.reason },
      'the provider did not refund a duplicate charge; an operator has to send the refund',
    )
  if (decision.kind === 'wait' && refund.nextCheckAt !== null && set.refund?.change.nextCheckAt === null)
    ctx.log.error({ refundId: refund.id }, 'a refund is still open after a day; an operator has to decide')
}

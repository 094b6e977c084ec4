import { add, equals, subtract } from '@muripo/contract/money'
import type { StatusReason } from '@muripo/contract/payments'
import { plusMs } from '../../../../platform/clock.ts'
import { invariant } from '../../../../platform/errors.ts'
import { uuidOf } from '../../../../platform/ids.ts'
import { clearing, type Transfer } from '../../../ledger/index.ts'
import type { Reply } from '../../../providers/index.ts'
import type { PaymentCtx } from '../context.ts'
import { alarm, changedRefund, type Effects, inTurn, nothing, type PaymentChange } from '../effects.ts'
import { afterMove, isOpenRefund } from '../moves.ts'
import {
  BY_OPERATOR,
  type CallOutcome,
  type Deferred,
  factsOf,
  interpretOutcome,
  type LookedUp,
  type OperatorRefundDecision,
  traceOf,
} from '../outcome.ts'
import { type Attempt, type Payment, paidAmountOf, type Refund, remainingOf } from '../payment.ts'
import { GIVE_UP_AFTER_MS, newWatch, nextCheckAt } from '../schedule.ts'
import type { WholeState } from '../state.ts'
import { toPublicRefund } from '../wire.ts'
import type { RefundChange } from '../written-rows.ts'
import { bookedRefund, differenceOf } from './booked.ts'
import { reconsiderReturned } from './booked-charge.ts'
import { openAnomaly } from './open-anomaly.ts'
import { watchRefund } from './watch.ts'

type Ctx = Pick<PaymentCtx, 'ids' | 'providers'>

/** The change that an outcome makes to a refund. */
export interface RefundDecision {
  /** Null when nothing changes. */
  readonly effects: Effects | null
  /** False while a repeated report about a completed refund waits. */
  readonly isFinal: boolean
  /** The provider has paid the refund just now. */
  readonly isPaid?: boolean
}

/** A refund and its charge in the state of their payment. */
export interface RefundState extends WholeState {
  readonly refund: Refund
  readonly charge: Attempt
}

/** The same state, read for one of its refunds. */
export function refundIn(state: WholeState, id: Refund['id']): RefundState {
  const refund = state.refunds.find((each) => each.id === id)
  const charge = state.attempts.find((each) => each.id === refund?.attemptId)
  invariant(refund && charge, 'a refund is recorded before its provider is called, with its charge')
  return { ...state, refund, charge }
}

const keep: RefundDecision = { effects: null, isFinal: true }

/**
 * Decides what an outcome changes on a refund: a reply, a look-up, or an operator's decision. The same outcome twice changes nothing the second
 * time, except that it is reviewed or watched.
 */
export function decideRefund(
  ctx: Ctx,
  state: RefundState,
  reported: CallOutcome | OperatorRefundDecision,
): RefundDecision {
  const { refund, at } = state
  if (!isOpenRefund(refund.status)) return afterTheEnd(ctx, state, reported)
  if (reported.kind === 'decided') return decidedByOperator(ctx, state, reported)
  if (reported.kind === 'deferred') return defer(ctx, state, reported)
  const outcome = interpretOutcome(at, refund, reported)
  if (outcome.kind === 'failed')
    return fail(ctx, state, outcome.reason, traceOf(outcome), outcome.neverSent === true)
  if (outcome.kind === 'unknown') return wait(ctx, state, 'unknown', traceOf(outcome))
  const { reply } = outcome
  const facts = factsOf(reply, refund, outcome.keepsState)
  switch (reply.outcome) {
    case 'failed':
      return fail(ctx, state, reply.reason ?? 'declined', facts)
    case 'pending':
    case 'authorized':
      return wait(ctx, state, 'pending', facts)
    case 'reversed':
    case 'held':
      // A refund that its provider reversed or did not confirm may still be paid: an operator has to ask.
      return wait(ctx, state, 'unknown', facts)
    case 'completed':
    case 'refunded':
      // A success without an amount does not count: a later look-up may return the amount.
      if (reply.echo === null) return wait(ctx, state, 'unknown', facts)
      return equals(reply.echo, refund.amount) ? complete(ctx, state, facts) : differ(state, facts)
  }
}

/** Applies an operator's decision: the refund was sent by hand, or cannot be paid. */
function decidedByOperator(
  ctx: Ctx,
  state: RefundState,
  { verdict }: OperatorRefundDecision,
): RefundDecision {
  if (verdict.kind === 'failed')
    return fail(ctx, state, 'declined', { providerStatus: BY_OPERATOR + verdict.reason })
  if (verdict.kind === 'unclaimed') return unclaimed(ctx, state, BY_OPERATOR + verdict.reason)
  const { reference: providerReference } = verdict
  const facts = { providerStatus: 'paid by the operator', providerReference, notFoundChecks: 0 }
  return complete(ctx, state, facts)
}

/**
 * An outcome after the end changes nothing, with one exception: the provider paid a refund that it had refused. The reserve was released to
 * the merchant's balance, so the amount is taken from there. When another refund has taken it meanwhile, an operator decides.
 */
function afterTheEnd(
  ctx: Ctx,
  state: RefundState,
  reported: CallOutcome | OperatorRefundDecision,
): RefundDecision {
  const { refund, payment } = state
  const isUnclaimed = refund.status === 'failed' && refund.unclaimedAt !== null && refund.bouncedAt === null
  if (reported.kind === 'decided')
    return isUnclaimed && reported.verdict.kind === 'paid' ? decidedByOperator(ctx, state, reported) : keep
  if (reported.kind === 'deferred' || refund.settledAt !== null) return keep
  if (refund.status === 'completed' || refund.bouncedAt !== null) return contradict(ctx, state, reported)
  // A success without an amount does not count, as for an open refund: a later look-up may return the amount.
  if (reported.kind !== 'reply' || !isPaid(reported.reply.outcome) || reported.reply.echo === null)
    return refund.paidLateAt === null ? watch(ctx, state, reported) : keep
  const facts = factsOf(reported.reply, refund, reported.keepsState)
  const isAsRequested = equals(reported.reply.echo, refund.amount)
  if (isUnclaimed && isAsRequested) return complete(ctx, state, facts)
  const isInBalance = payment.status === 'completed' && refund.amount.minor <= remainingOf(payment).minor
  return isAsRequested && isInBalance ? completeLate(ctx, state, facts) : payLate(ctx, state, facts)
}

const isPaid = (outcome: string): boolean => outcome === 'completed' || outcome === 'refunded'

function watch(ctx: Ctx, state: RefundState, reported: LookedUp): RefundDecision {
  const effects = watchRefund(ctx, state, state, reported)
  return { effects: effects === nothing ? null : effects, isFinal: true }
}

/**
 * A completed refund stays completed, and a bounced one failed: an operator reviews a reply that denies it, or that names another amount than
 * is booked.
 */
function contradict(ctx: Ctx, state: RefundState, reported: LookedUp): RefundDecision {
  if (reported.kind !== 'reply') return keep
  const { refund, charge: attempt } = state
  const { outcome, providerStatus, echo: amount }: Reply = reported.reply
  const isDenied = outcome === 'failed' || outcome === 'reversed'
  // A bounced refund is over: its provider contradicts that by any word of a payment.
  if (refund.bouncedAt === null ? isDenied : isPaid(outcome))
    return openAnomaly(ctx, state, { attempt, refund, kind: 'contradicted', providerStatus })
  if (refund.bouncedAt !== null || !isPaid(outcome) || amount === null) return keep
  const booked = bookedRefund(state, refund, attempt.provider)
  if (equals(amount, booked)) return keep
  const differs = differenceOf({ amount, booked, providerStatus })
  return openAnomaly(ctx, state, { attempt, refund, kind: 'amount_differs', ...differs })
}

/** The change of a refund, its transfer, and the change that the merchant sees: an event reports the payment and the refund after it. */
interface Parts {
  readonly change: RefundChange
  readonly transfer?: Pick<Transfer, 'kind' | 'debit' | 'credit'>
  readonly payment?: PaymentChange
  readonly alarm?: Pick<Effects, 'alarms'>
}

function changed({ refund, payment, at }: RefundState, parts: Parts): Effects {
  const change = { ...(refund.isDeferred && { isDeferred: false }), ...parts.change }
  const { amount, id } = refund
  const type = change.status === 'completed' ? 'payment.refunded' : 'refund.failed'
  const besides = { refund: toPublicRefund(changedRefund(refund, change, at)) }
  return {
    refund: { before: refund, change },
    ...(parts.transfer && {
      transfers: [{ ...parts.transfer, amount, paymentId: payment.id, causeId: uuidOf(id) }],
    }),
    ...(parts.payment && { change: parts.payment, events: [{ type, besides }] }),
    ...parts.alarm,
  }
}

const stays = (state: RefundState, parts: Parts): RefundDecision => ({
  effects: changed(state, parts),
  isFinal: true,
})

/** The end of a refund: what its provider has returned of the charge is compared again. */
const ends = (ctx: Ctx, state: RefundState, parts: Parts): RefundDecision => ({
  effects: inTurn<WholeState>(
    state,
    () => changed(state, parts),
    (after) => reconsiderReturned(ctx, after, state.charge),
  ),
  isFinal: true,
})

const released = ({ payment, refund }: RefundState): PaymentChange => ({
  refundPending: subtract(payment.refundPending, refund.amount),
})

function complete(ctx: Ctx, state: RefundState, facts: RefundChange): RefundDecision {
  const { payment, refund, charge } = state
  const debit = refund.unclaimedAt ? 'unclaimed.payable' : 'refunds.payable'
  const parts: Parts = {
    change: { ...facts, ...completed(refund) },
    transfer: { kind: 'refund_paid', debit, credit: clearing(charge.provider) },
    // The amount of a duplicate was never in the merchant's balance.
    ...(refund.origin !== 'duplicate' && {
      payment: { ...refundedBy(payment, refund), ...released(state) },
    }),
  }
  return { ...ends(ctx, state, parts), isPaid: true }
}

/** The refund had failed, and its reserve had been released. */
function completeLate(ctx: Ctx, state: RefundState, facts: RefundChange): RefundDecision {
  const { payment, refund, charge } = state
  const parts: Parts = {
    change: { ...facts, ...completed(refund) },
    transfer: { kind: 'refund_paid', debit: 'merchant.payable', credit: clearing(charge.provider) },
    payment: refundedBy(payment, refund),
    alarm: lateAlarm(refund, true),
  }
  return { ...ends(ctx, state, parts), isPaid: true }
}

/** The provider paid a failed refund whose amount is no longer in the merchant's balance: an operator decides. */
function payLate(ctx: Ctx, state: RefundState, facts: RefundChange): RefundDecision {
  const { refund, at } = state
  return ends(ctx, state, {
    change: { ...facts, paidLateAt: refund.paidLateAt ?? at, nextWatchAt: null },
    alarm: lateAlarm(refund, false),
  })
}

const lateAlarm = ({ id, paymentId }: Refund, booked: boolean): Pick<Effects, 'alarms'> =>
  alarm({ refundId: id, paymentId, booked }, 'a provider paid a refund that it had refused')

/** A failed refund that is paid after all is neither watched nor listed as paid late any more. */
const completed = ({ status }: Refund): RefundChange => ({
  status: 'completed',
  nextCheckAt: null,
  ...(status === 'failed' && { failureReason: null, nextWatchAt: null, paidLateAt: null, settledAt: null }),
})

const refundedBy = (payment: Payment, refund: Refund): PaymentChange => {
  const refunded = add(payment.refunded, refund.amount)
  return {
    refunded,
    ...(equals(refunded, paidAmountOf(payment)) && { status: afterMove(payment.status, 'refund') }),
  }
}

/** The provider refunded another amount than requested: an operator decides. */
function differ(state: RefundState, facts: RefundChange): RefundDecision {
  const { id, paymentId } = state.refund
  return stays(state, {
    change: { ...facts, status: 'unknown', nextCheckAt: null },
    alarm: alarm(
      { refundId: id, paymentId },
      'the provider refunded another amount than requested; an operator has to decide',
    ),
  })
}

/** The payer of a duplicate charge cannot be reached: the amount waits for the payer on an account of its own. */
function unclaimed(ctx: Ctx, state: RefundState, providerStatus: string): RefundDecision {
  const { refund, at } = state
  return stays(state, {
    change: {
      providerStatus,
      status: 'failed',
      failureReason: 'declined',
      unclaimedAt: at,
      nextCheckAt: null,
      ...watchAfter(ctx, state, refund.status !== 'awaiting_operator'),
    },
    transfer: { kind: 'unclaimed', debit: 'refunds.payable', credit: 'unclaimed.payable' },
  })
}

/**
 * The provider does not pay the refund. The amount of a duplicate charge stays owed to the payer, and an operator sends it. The provider has no
 * record of a refund that was never sent, or that an operator was to send.
 */
function fail(
  ctx: Ctx,
  state: RefundState,
  reason: StatusReason,
  facts: RefundChange,
  neverSent = false,
): RefundDecision {
  const { origin, status, id, paymentId } = state.refund
  if (origin === 'duplicate')
    return stays(state, {
      change: { ...facts, status: 'awaiting_operator', failureReason: reason, nextCheckAt: null },
      alarm: alarm(
        { refundId: id, paymentId, reason },
        'the provider did not refund a duplicate charge; an operator has to send the refund',
      ),
    })
  const wasSent = !neverSent && status !== 'awaiting_operator'
  const failed = { status: 'failed', failureReason: reason, nextCheckAt: null } as const
  return ends(ctx, state, {
    change: { ...facts, ...failed, ...watchAfter(ctx, state, wasSent) },
    transfer: { kind: 'refund_released', debit: 'refunds.payable', credit: 'merchant.payable' },
    payment: released(state),
  })
}

/** The provider may pay a failed refund that it has received. */
const watchAfter = (ctx: Ctx, { charge, at }: RefundState, wasSent: boolean): RefundChange =>
  wasSent && ctx.providers.canLookUpRefund(charge.provider) ? newWatch(at, ctx.ids) : {}

/** The provider has not processed the refund. It is sent again for as long as an open one is looked up. */
function defer(
  ctx: Ctx,
  state: RefundState,
  { retryAfterMs, neverSent, ...trace }: Deferred,
): RefundDecision {
  const { refund, at } = state
  const facts = traceOf(trace)
  const isInTime = at.getTime() - refund.createdAt.getTime() < GIVE_UP_AFTER_MS
  if (refund.status !== 'sending' || !isInTime)
    return fail(ctx, state, 'provider_unavailable', facts, neverSent)
  return stays(state, { change: { ...facts, isDeferred: true, nextCheckAt: plusMs(at, retryAfterMs) } })
}

/**
 * A provider that had the refund and cannot be asked now still has it. An operator's refund does not wait for a provider, and one that an
 * operator reviews stays there until an outcome resolves it.
 */
function wait(
  ctx: Ctx,
  state: RefundState,
  reported: 'pending' | 'unknown',
  facts: RefundChange,
): RefundDecision {
  const { refund, charge, at } = state
  if (refund.status === 'awaiting_operator') return keep
  const minPollMs = ctx.providers.minPollMs(charge.provider)
  const next = refund.nextCheckAt && nextCheckAt(refund.createdAt, at, minPollMs, ctx.ids)
  return stays(state, {
    change: {
      ...facts,
      status: refund.status === 'pending' ? refund.status : reported,
      nextCheckAt: next,
    },
    ...(refund.nextCheckAt !== null &&
      next === null && {
        alarm: alarm(
          { refundId: refund.id },
          'a refund is still open after a day; an operator has to decide',
        ),
      }),
  })
}

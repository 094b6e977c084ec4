import { equals } from '@muripo/contract/money'
import { plusMs } from '../../../../platform/clock.ts'
import type { Reply } from '../../../providers/index.ts'
import { alarm, nothing } from '../effects.ts'
import { isOpenRefund } from '../moves.ts'
import {
  BY_OPERATOR,
  type CallOutcome,
  type Deferred,
  factsOf,
  interpretOutcome,
  type LookedUp,
  type OperatorRefundDecision,
  PAID_BY_OPERATOR,
  traceOf,
} from '../outcome.ts'
import { remainingOf } from '../payment.ts'
import { GIVE_UP_AFTER_MS, nextCheckAt } from '../schedule.ts'
import type { RefundState } from '../state.ts'
import type { RefundChange } from '../written-rows.ts'
import { bookedRefund, differenceOf } from './booked.ts'
import { openAnomaly } from './open-anomaly.ts'
import {
  type Ctx,
  complete,
  completeLate,
  differ,
  fail,
  payLate,
  type RefundDecision,
  stays,
  unclaimed,
} from './refund-end.ts'
import { watchRefund } from './watch.ts'

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
  const facts = { providerStatus: PAID_BY_OPERATOR, providerReference, notFoundChecks: 0 }
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

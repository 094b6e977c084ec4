import { equals } from '@muripo/contract/money'
import type { StatusReason } from '@muripo/contract/payments'
import type { Reply } from '../../../providers/index.ts'
import { isOpenRefund } from '../moves.ts'
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
import { type Payment, type Refund, remainingOf } from '../payment.ts'
import { GIVE_UP_AFTER_MS } from '../schedule.ts'
import type { RefundChange } from '../store-refunds.ts'

/** A refund and its payment, both behind the payment's lock. */
export interface RefundState {
  readonly refund: Refund
  readonly payment: Pick<
    Payment,
    'status' | 'amount' | 'captured' | 'refunded' | 'refundPending' | 'reversed'
  >
}

/** facts: columns that the outcome leaves on the row. */
export type RefundDecision =
  | { readonly kind: 'keep' }
  /** The refund is completed, and the reply contradicts that. */
  | { readonly kind: 'review'; readonly reply: Reply }
  /** A failed refund stays failed, and its watch continues. */
  | { readonly kind: 'watch'; readonly outcome: LookedUp }
  /** The provider has not processed the refund, which is sent again at a later time. */
  | { readonly kind: 'defer'; readonly retryAfterMs: number; readonly facts: RefundChange }
  | { readonly kind: 'wait'; readonly status: 'pending' | 'unknown'; readonly facts: RefundChange }
  /** The provider refunded another amount than requested: an operator decides. */
  | { readonly kind: 'mismatch'; readonly facts: RefundChange }
  /** isLate: the refund had failed, and its reserve had been released. */
  | { readonly kind: 'complete'; readonly isLate: boolean; readonly facts: RefundChange }
  /** The provider paid a failed refund whose amount is no longer in the merchant's balance: an operator decides. */
  | { readonly kind: 'paid late'; readonly facts: RefundChange }
  /** The payer of a duplicate charge cannot be reached: the amount waits for the payer on an account of its own. */
  | { readonly kind: 'unclaimed'; readonly facts: RefundChange }
  /** The provider does not pay back a duplicate charge: an operator sends the amount. */
  | { readonly kind: 'hand over'; readonly reason: StatusReason; readonly facts: RefundChange }
  /** wasSent: the provider may have a record of it. */
  | {
      readonly kind: 'fail'
      readonly reason: StatusReason
      readonly wasSent: boolean
      readonly facts: RefundChange
    }

const keep: RefundDecision = { kind: 'keep' }

/** Decides the effect of an outcome on a refund. The same outcome twice decides `keep`, `review` or `watch` the second time. */
export function decideRefund(
  state: RefundState,
  reported: CallOutcome | OperatorRefundDecision,
  now: Date,
): RefundDecision {
  const { refund } = state
  if (!isOpenRefund(refund.status)) return afterTheEnd(state, reported)
  if (reported.kind === 'decided') return decidedByOperator(refund, reported)
  if (reported.kind === 'deferred') return defer(refund, reported, now)
  const outcome = interpretOutcome(now, refund, reported)
  if (outcome.kind === 'failed')
    return fail(refund, outcome.reason, traceOf(outcome), outcome.neverSent === true)
  if (outcome.kind === 'unknown') return wait(refund, 'unknown', traceOf(outcome))
  const { reply } = outcome
  const facts = factsOf(reply, refund, outcome.keepsState)
  switch (reply.outcome) {
    case 'failed':
      return fail(refund, reply.reason ?? 'declined', facts)
    case 'pending':
    case 'authorized':
      return wait(refund, 'pending', facts)
    case 'reversed':
    case 'held':
      // A refund that its provider reversed or did not confirm may still be paid: an operator has to ask.
      return wait(refund, 'unknown', facts)
    case 'completed':
    case 'refunded':
      // A success without an amount does not count: a later look-up may return the amount.
      if (reply.echo === null) return wait(refund, 'unknown', facts)
      if (!equals(reply.echo, refund.amount)) return { kind: 'mismatch', facts }
      return { kind: 'complete', isLate: false, facts }
  }
}

/** Applies an operator's decision: the refund was sent by hand, or cannot be paid. */
function decidedByOperator(refund: Refund, { verdict }: OperatorRefundDecision): RefundDecision {
  if (verdict.kind === 'failed')
    return fail(refund, 'declined', { providerStatus: BY_OPERATOR + verdict.reason })
  if (verdict.kind === 'unclaimed')
    return { kind: 'unclaimed', facts: { providerStatus: BY_OPERATOR + verdict.reason } }
  const providerStatus = 'paid by the operator'
  const facts = { providerStatus, providerReference: verdict.reference, notFoundChecks: 0 }
  return { kind: 'complete', isLate: false, facts }
}

/**
 * An outcome after the end changes nothing, with one exception: the provider paid a refund that it had refused. The reserve was released to
 * the merchant's balance, so the amount is taken from there. When another refund has taken it meanwhile, an operator decides.
 */
function afterTheEnd(
  { refund, payment }: RefundState,
  reported: CallOutcome | OperatorRefundDecision,
): RefundDecision {
  const isUnclaimed = refund.status === 'failed' && refund.unclaimedAt !== null && refund.bouncedAt === null
  if (reported.kind === 'decided')
    return isUnclaimed && reported.verdict.kind === 'paid' ? decidedByOperator(refund, reported) : keep
  if (reported.kind === 'deferred' || refund.settledAt !== null) return keep
  if (refund.status === 'completed' || refund.bouncedAt !== null) return contradictionOf(refund, reported)
  // A success without an amount does not count, as for an open refund: a later look-up may return the amount.
  if (reported.kind !== 'reply' || !isPaid(reported.reply.outcome) || reported.reply.echo === null)
    return refund.paidLateAt === null ? { kind: 'watch', outcome: reported } : keep
  const facts = factsOf(reported.reply, refund, reported.keepsState)
  const isAsRequested = equals(reported.reply.echo, refund.amount)
  if (isUnclaimed && isAsRequested) return { kind: 'complete', isLate: false, facts }
  const isInBalance = payment.status === 'completed' && refund.amount.minor <= remainingOf(payment).minor
  return isAsRequested && isInBalance
    ? { kind: 'complete', isLate: true, facts }
    : { kind: 'paid late', facts }
}

const isPaid = (outcome: string): boolean => outcome === 'completed' || outcome === 'refunded'

/**
 * A completed refund stays completed, and a bounced one failed: an operator decides. A reply that names an amount is compared with the booked
 * one.
 */
function contradictionOf({ bouncedAt }: Refund, reported: LookedUp): RefundDecision {
  if (reported.kind !== 'reply') return keep
  const { reply } = reported
  if (bouncedAt !== null) return isPaid(reply.outcome) ? { kind: 'review', reply } : keep
  const isDenied = reply.outcome === 'failed' || reply.outcome === 'reversed'
  return isDenied || (isPaid(reply.outcome) && reply.echo !== null) ? { kind: 'review', reply } : keep
}

/**
 * The provider does not pay the refund. The amount of a duplicate charge stays owed to the payer. The provider has no record of a refund
 * that was never sent, or that an operator was to send.
 */
function fail(
  { origin, status }: Refund,
  reason: StatusReason,
  facts: RefundChange,
  neverSent = false,
): RefundDecision {
  if (origin === 'duplicate') return { kind: 'hand over', reason, facts }
  return { kind: 'fail', reason, wasSent: !neverSent && status !== 'awaiting_operator', facts }
}

/** A refund is sent again for as long as an open one is looked up. */
function defer(refund: Refund, { retryAfterMs, neverSent, ...trace }: Deferred, now: Date): RefundDecision {
  const facts = traceOf(trace)
  const isInTime = now.getTime() - refund.createdAt.getTime() < GIVE_UP_AFTER_MS
  if (refund.status === 'sending' && isInTime) return { kind: 'defer', retryAfterMs, facts }
  return fail(refund, 'provider_unavailable', facts, neverSent)
}

/** A provider that had the refund and cannot be asked now still has it. An operator's refund does not wait for a provider. */
function wait({ status }: Refund, reported: 'pending' | 'unknown', facts: RefundChange): RefundDecision {
  if (status === 'awaiting_operator') return keep
  return { kind: 'wait', status: status === 'pending' ? status : reported, facts }
}

import { isDeepStrictEqual } from 'node:util'
import { equals, type Money } from '@muripo/contract/money'
import type { StatusReason } from '@muripo/contract/payments'
import { plusMs } from '../../../../platform/clock.ts'
import type { Reply } from '../../../providers/index.ts'
import { alarm, both, nothing } from '../effects.ts'
import { captureOrderOf } from '../instruction.ts'
import { afterMove, canMove, isBooked, isOpen, isUnderway } from '../moves.ts'
import {
  type CallOutcome,
  type Decision,
  type Deferred,
  factsOf,
  interpretOutcome,
  type KnownOutcome,
  MOST_OUTCOME_FAILURES,
  traceOf,
} from '../outcome.ts'
import type { Attempt } from '../payment.ts'
import { nextCheckAt, SEND_WITHIN_MS } from '../schedule.ts'
import type { PaymentState, WholeState } from '../state.ts'
import type { AttemptChange } from '../written-rows.ts'
import { unbookMoved } from './booked.ts'
import { reviewBookedCharge } from './booked-charge.ts'
import { type ChargeDecision, type Ctx, changed, hold, keep, underReview } from './charge-decision.ts'
import { book, type Failure, failOpen } from './charge-end.ts'
import { watchCharge } from './watch.ts'

/** A charge in progress, of a payment that can still be completed: nothing that comes after the end of a charge concerns it. */
export const isInProgress = ({ payment }: PaymentState, { status }: Attempt): boolean =>
  isUnderway(status) && canMove(payment.status, 'complete')

export const beforeItsEnd = (state: PaymentState): WholeState => ({
  ...state,
  refunds: [],
  anomalies: [],
  differences: [],
})

/**
 * Decides what an outcome changes on a charge: the reply to it, a look-up, a callback's look-up, or an operator's decision. The same outcome
 * twice changes nothing the second time, except that it is reviewed or watched.
 */
export function decideCharge(
  ctx: Ctx,
  state: WholeState,
  attempt: Attempt,
  reported: CallOutcome | Decision,
): ChargeDecision {
  if (reported.kind === 'decided') return decidedByOperator(ctx, state, attempt, reported)
  if (reported.kind === 'deferred') return defer(ctx, state, attempt, reported)
  const outcome = interpretOutcome(state.at, attempt, reported)
  // A confirmed charge that its provider does not find is looked up again after the next callback.
  if (isBooked(attempt.status))
    return reported.kind === 'missing' ? keep(attempt) : review(ctx, state, attempt, outcome)
  if (attempt.status === 'failed' && !isMoney(outcome)) {
    const effects = watchCharge(ctx, state, attempt, reported.kind === 'missing' ? reported : outcome)
    return { ...keep(attempt), effects: effects === nothing ? null : effects }
  }
  if (outcome.kind === 'unknown') return wait(ctx, state, attempt, 'unknown', traceOf(outcome))
  if (outcome.kind === 'failed') {
    const { reason, neverSent } = outcome
    return fail(ctx, state, attempt, {
      reason,
      facts: traceOf(outcome),
      end: neverSent ? 'never sent' : 'watched',
    })
  }
  const { reply } = outcome
  const facts = { ...factsOf(reply, attempt, outcome.keepsState), ...stepOf(outcome, attempt) }
  switch (reply.outcome) {
    case 'authorized':
      return authorise(ctx, state, attempt, reply, facts)
    case 'completed':
      return complete(ctx, state, attempt, reply, facts)
    case 'failed':
      return refuse(ctx, state, attempt, reply.reason ?? 'declined', facts)
    case 'pending':
      return wait(ctx, state, attempt, 'pending', facts)
    case 'refunded':
    case 'reversed':
      // The provider moved the amount in both directions outside of the gateway's refunds: an operator has to decide.
      return hold(state, attempt, `the provider says that the charge was ${reply.outcome}`, facts)
    case 'held':
      return hold(state, attempt, `the provider's result needs a decision: ${reply.providerStatus}`, facts)
  }
}

function review(ctx: Ctx, state: WholeState, attempt: Attempt, outcome: KnownOutcome): ChargeDecision {
  const { effects, isFinal } = reviewBookedCharge(ctx, state, attempt, outcome)
  return { status: attempt.status, effects: Object.keys(effects).length > 0 ? effects : null, isFinal }
}

/** The payer's step that a reply names. The reply to the charge does not replace that of a look-up, which may come before it. */
const stepOf = (
  { reply: { next }, keepsState }: Extract<KnownOutcome, { kind: 'reply' }>,
  { nextAction }: Attempt,
): Pick<AttemptChange, 'nextAction'> =>
  next === undefined || (keepsState && nextAction !== null) ? {} : { nextAction: next }

/** Whether a provider's reply about a failed charge reports that an amount has moved. */
const isMoney = (outcome: KnownOutcome): boolean =>
  outcome.kind === 'reply' &&
  (outcome.reply.outcome === 'refunded' ||
    outcome.reply.outcome === 'reversed' ||
    outcome.reply.outcome === 'held' ||
    (outcome.reply.outcome === 'completed' && outcome.reply.echo !== null))

/** An operator may decide a held attempt as well as one that is still looked up. */
function decidedByOperator(
  ctx: Ctx,
  state: WholeState,
  attempt: Attempt,
  { verdict }: Decision,
): ChargeDecision {
  const { status } = attempt
  // The merchant decides about an authorisation.
  if (!isOpen(status) || status === 'authorized') return keep(attempt)
  const providerStatus = `${verdict.outcome}, says an operator`
  if (verdict.outcome === 'completed') {
    const { reference: providerReference } = verdict
    const facts = { providerStatus, providerReference, notFoundChecks: 0 }
    return anew(ctx, state, attempt, book(ctx, state, attempt, facts))
  }
  // A watch would hold the attempt again because of the same reply.
  const end = status === 'held' ? 'seen by an operator' : 'watched'
  return anew(
    ctx,
    state,
    attempt,
    failOpen(ctx, state, attempt, { reason: 'declined', facts: { providerStatus }, end }),
  )
}

/** A charge is decided anew: what an operator has booked as moved for it is reversed first. */
const anew = (ctx: Ctx, state: WholeState, attempt: Attempt, decision: ChargeDecision): ChargeDecision =>
  attempt.moved === null || decision.effects === null
    ? decision
    : { ...decision, effects: both(unbookMoved(ctx, state, attempt), decision.effects) }

/**
 * The merchant has the period of the provider to capture, from the time at which the attempt was sent. A payment that was cancelled while its
 * payer authorised it is voided next. The authorisation of a payment that has ended fails its attempt, and the watch of the attempt voids it.
 * An authorisation with an instruction is not carried out yet.
 */
function authorise(
  ctx: Ctx,
  state: WholeState,
  attempt: Attempt,
  { echo, providerReference }: Reply,
  facts: AttemptChange,
): ChargeDecision {
  const { payment, at } = state
  if (!isUnderway(attempt.status)) return keep(attempt)
  if (captureOrderOf(state, attempt)?.kind !== 'await') return wait(ctx, state, attempt, 'pending', facts)
  if (echo === null) return wait(ctx, state, attempt, 'unknown', facts)
  if (!equals(echo, attempt.amount))
    return hold(state, attempt, 'the provider authorised another amount than requested', facts)
  // The payer has nothing left to do.
  const known = { ...facts, nextAction: { type: 'wait_for_push' } } as const
  if (!canMove(payment.status, 'authorise'))
    return fail(ctx, state, attempt, { reason: 'expired', facts: known, end: 'watched' })
  const end = plusMs(attempt.createdAt, ctx.providers.captureWithinMs(attempt.provider))
  const captureBefore = payment.termination?.reason === 'cancelled' || end < at ? at : end
  return changed(
    attempt,
    { ...known, status: 'authorized', authorizedAt: at, nextCheckAt: captureBefore },
    {
      change: {
        status: afterMove(payment.status, 'authorise'),
        statusReason: 'awaiting_capture',
        method: attempt.method,
        providerReference: providerReference ?? attempt.providerReference,
        captureBefore,
      },
      events: [{ type: 'payment.authorized' }],
    },
  )
}

/** The amount of a valid success; null when no success was requested. */
function expectedOf(state: PaymentState, attempt: Attempt): Money | null {
  const capture = captureOrderOf(state, attempt)
  if (capture === undefined) return attempt.amount
  return capture.kind === 'capture' ? capture.amount : null
}

function complete(
  ctx: Ctx,
  state: WholeState,
  attempt: Attempt,
  { echo, method }: Reply,
  facts: AttemptChange,
): ChargeDecision {
  if (attempt.status === 'held') return keep(attempt)
  // A success without an amount does not count yet: the next look-up may return the amount.
  if (echo === null) return wait(ctx, state, attempt, 'unknown', facts)
  // An operator has already booked this amount.
  if (attempt.moved?.minor === echo.minor) return keep(attempt)
  const expected = expectedOf(state, attempt)
  if (expected === null) {
    const why = 'the provider captured an amount without an instruction'
    return anew(ctx, state, attempt, hold(state, attempt, why, facts))
  }
  if (!equals(echo, expected)) {
    const why = 'the provider moved another amount than requested'
    return anew(ctx, state, attempt, hold(state, attempt, why, facts))
  }
  return anew(ctx, state, attempt, book(ctx, state, attempt, facts, method))
}

/** Fails a charge in progress. */
const fail = (ctx: Ctx, state: WholeState, attempt: Attempt, failure: Failure): ChargeDecision =>
  isUnderway(attempt.status) ? failOpen(ctx, state, attempt, failure) : keep(attempt)

/** The provider or the card's bank may also release an authorisation. */
function refuse(
  ctx: Ctx,
  state: WholeState,
  attempt: Attempt,
  reason: StatusReason,
  facts: AttemptChange,
): ChargeDecision {
  const failure: Failure = { reason, facts, end: 'watched' }
  return attempt.status === 'authorized'
    ? failOpen(ctx, state, attempt, failure)
    : fail(ctx, state, attempt, failure)
}

/**
 * The charge stays open. A charge that its provider had reported stays pending when the provider does not answer. Nothing changes when a look-up
 * has found nothing new: the next one is scheduled already.
 */
function wait(
  ctx: Ctx,
  { payment, instruction, at }: WholeState,
  attempt: Attempt,
  reported: 'pending' | 'unknown',
  facts: AttemptChange,
): ChargeDecision {
  if (!isUnderway(attempt.status)) return keep(attempt)
  const status = attempt.status === 'pending' ? attempt.status : reported
  const next = nextCheckOf(ctx, attempt, instruction?.createdAt ?? attempt.createdAt, at)
  const change = { ...facts, status, nextCheckAt: next }
  if (isCountedOut(attempt)) return changed(attempt, change)
  if (next === null)
    return changed(attempt, change, {
      ...underReview(payment),
      ...alarm({ attemptId: attempt.id }, 'an attempt is still open after a day; an operator has to decide'),
    })
  const { statusReason } = payment
  const isChanged =
    reported === 'pending'
      ? statusReason === 'checking'
      : statusReason !== 'checking' && statusReason !== 'under_review'
  if (payment.status === 'pending' && isChanged)
    return changed(attempt, change, {
      change: { statusReason: reported === 'pending' ? 'awaiting_payer' : 'checking' },
    })
  return status === attempt.status && hasFacts(attempt, facts) ? keep(attempt) : changed(attempt, change)
}

/** Whether the row already has what the provider has reported. */
const hasFacts = (attempt: Attempt, facts: AttemptChange): boolean =>
  Object.entries(facts).every(([name, value]) => isDeepStrictEqual(attempt[name as keyof Attempt], value))

/** Whether an operator reviews the attempt because its outcome could not be recorded: a further look-up would fail again. */
const isCountedOut = ({ outcomeFailures }: Attempt): boolean => outcomeFailures >= MOST_OUTCOME_FAILURES

/** Null when an operator has to decide. */
const nextCheckOf = (ctx: Ctx, attempt: Attempt, since: Date, at: Date): Date | null =>
  isCountedOut(attempt) ? null : nextCheckAt(since, at, ctx.providers.minPollMs(attempt.provider), ctx.ids)

/**
 * The provider has not processed the charge, which is made again at a later time. For its payer and its merchant it is still being sent. It is
 * not sent to its payer's phone long after the payer has left.
 */
function defer(
  ctx: Ctx,
  state: WholeState,
  attempt: Attempt,
  { retryAfterMs, neverSent, ...trace }: Deferred,
): ChargeDecision {
  const { at } = state
  const facts = traceOf(trace)
  const isInTime = at.getTime() - attempt.createdAt.getTime() + retryAfterMs <= SEND_WITHIN_MS
  if (attempt.status !== 'sending' || !isInTime) {
    const end = neverSent ? 'never sent' : 'watched'
    return fail(ctx, state, attempt, { reason: 'provider_unavailable', facts, end })
  }
  return changed(attempt, {
    ...facts,
    isDeferred: true,
    nextCheckAt: plusMs(at, retryAfterMs),
    status: attempt.status,
  })
}

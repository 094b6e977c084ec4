import { equals, type Money } from '@muripo/contract/money'
import type { PaymentMethod, StatusReason } from '@muripo/contract/payments'
import type { CaptureOrder, Reply } from '../../../providers/index.ts'
import { isBooked, isOpen, isUnderway } from '../moves.ts'
import {
  type CallOutcome,
  type Decision,
  type Deferred,
  factsOf,
  interpretOutcome,
  type KnownOutcome,
  type LookedUp,
  traceOf,
} from '../outcome.ts'
import type { Attempt } from '../payment.ts'
import { SEND_WITHIN_MS } from '../schedule.ts'
import type { AttemptChange } from '../store-attempts.ts'

/** An attempt, read behind its payment's lock. */
export interface AttemptState {
  readonly attempt: Attempt
  /** The amount that an operator has booked as moved for a failed attempt; null without a booking. */
  readonly movedMinor: bigint | null
  /** The order about the authorisation; undefined for a payment that is captured automatically. */
  readonly capture?: CaptureOrder | undefined
}

/** unbooks: the operator's booking of a moved amount is reversed first. facts: columns that the outcome leaves on the row. */
export type AttemptDecision =
  | { readonly kind: 'keep' }
  /** The charge is booked, and the reply may contradict the booking. */
  | { readonly kind: 'review'; readonly outcome: KnownOutcome }
  /** A failed attempt stays failed, and its watch continues. */
  | { readonly kind: 'watch'; readonly outcome: LookedUp }
  /** The provider has not processed the call, which is made again at a later time. */
  | { readonly kind: 'defer'; readonly retryAfterMs: number; readonly facts: AttemptChange }
  /** The attempt stays open. isPending: the provider has just reported that it has the charge. */
  | {
      readonly kind: 'wait'
      readonly status: 'pending' | 'unknown'
      readonly isPending: boolean
      readonly facts: AttemptChange
    }
  /** The provider has reserved the amount. */
  | { readonly kind: 'authorise'; readonly providerReference: string | null; readonly facts: AttemptChange }
  | {
      readonly kind: 'complete'
      readonly providerReference: string | null
      /** The method that the payer has chosen at a page of the provider. */
      readonly method?: PaymentMethod
      readonly unbooks: boolean
      readonly facts: AttemptChange
    }
  | {
      readonly kind: 'fail'
      readonly reason: StatusReason
      /** The call provably never reached the provider, or an operator has seen the reply that held the attempt. */
      readonly isFinal: 'never sent' | 'seen by an operator' | false
      readonly unbooks: boolean
      readonly facts: AttemptChange
    }
  | { readonly kind: 'hold'; readonly why: string; readonly unbooks: boolean; readonly facts: AttemptChange }

const keep: AttemptDecision = { kind: 'keep' }

/** Decides what an outcome changes on an attempt. The same outcome twice decides `keep`, `review` or `watch` the second time. */
export function decideAttempt(
  state: AttemptState,
  reported: CallOutcome | Decision,
  now: Date,
): AttemptDecision {
  const { attempt } = state
  if (reported.kind === 'decided') return decidedByOperator(attempt, reported)
  if (reported.kind === 'deferred') return defer(attempt, reported, now)
  const outcome = interpretOutcome(now, attempt, reported)
  // A confirmed charge that its provider does not find is looked up again after the next callback.
  if (isBooked(attempt.status)) return reported.kind === 'missing' ? keep : { kind: 'review', outcome }
  if (attempt.status === 'failed' && !isMoney(outcome))
    return { kind: 'watch', outcome: reported.kind === 'missing' ? reported : outcome }
  if (outcome.kind === 'unknown') return wait(attempt, 'unknown', traceOf(outcome))
  if (outcome.kind === 'failed') {
    const { reason, neverSent } = outcome
    return fail(attempt, reason, traceOf(outcome), neverSent ? 'never sent' : false)
  }
  const { reply } = outcome
  const facts = { ...factsOf(reply, attempt, outcome.keepsState), ...stepOf(outcome, attempt) }
  switch (reply.outcome) {
    case 'authorized':
      return authorise(state, reply, facts)
    case 'completed':
      return complete(state, reply, facts)
    case 'failed':
      return refuse(attempt, reply.reason ?? 'declined', facts)
    case 'pending':
      return wait(attempt, 'pending', facts)
    case 'refunded':
    case 'reversed':
      // The provider moved the amount in both directions outside of the gateway's refunds: an operator has to decide.
      return hold(attempt, `the provider says that the charge was ${reply.outcome}`, facts, false)
    case 'held':
      return hold(attempt, `the provider's result needs a decision: ${reply.providerStatus}`, facts, false)
  }
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
function decidedByOperator({ status }: Attempt, { verdict }: Decision): AttemptDecision {
  // The merchant decides about an authorisation.
  if (!isOpen(status) || status === 'authorized') return keep
  const wasHeld = status === 'held'
  const providerStatus = `${verdict.outcome}, says an operator`
  if (verdict.outcome === 'failed') {
    // A watch would hold the attempt again because of the same reply.
    const isFinal = wasHeld && 'seen by an operator'
    return { kind: 'fail', reason: 'declined', isFinal, unbooks: wasHeld, facts: { providerStatus } }
  }
  const providerReference = verdict.reference
  const facts = { providerStatus, providerReference, notFoundChecks: 0 }
  return { kind: 'complete', providerReference, unbooks: wasHeld, facts }
}

/** An authorisation with an instruction is not carried out yet. */
function authorise(
  { attempt, capture }: AttemptState,
  { echo, providerReference }: Reply,
  facts: AttemptChange,
): AttemptDecision {
  if (!isUnderway(attempt.status)) return keep
  if (capture?.kind !== 'await') return wait(attempt, 'pending', facts)
  if (echo === null) return wait(attempt, 'unknown', facts)
  if (!equals(echo, attempt.amount))
    return hold(attempt, 'the provider authorised another amount than requested', facts, false)
  // The payer has nothing left to do.
  return { kind: 'authorise', providerReference, facts: { ...facts, nextAction: { type: 'wait_for_push' } } }
}

/** The amount of a valid success; null when no success was requested. */
const expectedOf = ({ attempt, capture }: AttemptState): Money | null => {
  if (capture === undefined) return attempt.amount
  return capture.kind === 'capture' ? capture.amount : null
}

function complete(
  state: AttemptState,
  { echo, providerReference, method }: Reply,
  facts: AttemptChange,
): AttemptDecision {
  const { attempt, movedMinor } = state
  if (attempt.status === 'held') return keep
  // A success without an amount does not count yet: the next look-up may return the amount.
  if (echo === null) return wait(attempt, 'unknown', facts)
  const hasFailed = attempt.status === 'failed'
  // An operator has already booked this amount.
  if (hasFailed && movedMinor === echo.minor) return keep
  const expected = expectedOf(state)
  if (expected === null)
    return hold(attempt, 'the provider captured an amount without an instruction', facts, hasFailed)
  if (!equals(echo, expected))
    return hold(attempt, 'the provider moved another amount than requested', facts, hasFailed)
  return { kind: 'complete', providerReference, ...(method && { method }), unbooks: hasFailed, facts }
}

const fail = (
  { status }: Attempt,
  reason: StatusReason,
  facts: AttemptChange,
  isFinal: 'never sent' | false,
): AttemptDecision => (isUnderway(status) ? { kind: 'fail', reason, isFinal, unbooks: false, facts } : keep)

/** The provider or the card's bank may also release an authorisation. */
const refuse = (attempt: Attempt, reason: StatusReason, facts: AttemptChange): AttemptDecision =>
  attempt.status === 'authorized'
    ? { kind: 'fail', reason, isFinal: false, unbooks: false, facts }
    : fail(attempt, reason, facts, false)

/** A charge is not sent to its payer's phone long after the payer has left. */
function defer(
  attempt: Attempt,
  { retryAfterMs, neverSent, ...trace }: Deferred,
  now: Date,
): AttemptDecision {
  const facts = traceOf(trace)
  const isInTime = now.getTime() - attempt.createdAt.getTime() + retryAfterMs <= SEND_WITHIN_MS
  if (attempt.status === 'sending' && isInTime) return { kind: 'defer', retryAfterMs, facts }
  return fail(attempt, 'provider_unavailable', facts, neverSent ? 'never sent' : false)
}

/** A charge that its provider had reported stays pending when the provider does not answer. */
function wait({ status }: Attempt, reported: 'pending' | 'unknown', facts: AttemptChange): AttemptDecision {
  if (!isUnderway(status)) return keep
  return {
    kind: 'wait',
    status: status === 'pending' ? status : reported,
    isPending: reported === 'pending',
    facts,
  }
}

const hold = ({ status }: Attempt, why: string, facts: AttemptChange, unbooks: boolean): AttemptDecision =>
  status === 'held' ? keep : { kind: 'hold', why, unbooks, facts }

import type { StatusReason } from '@muripo/contract/payments'
import { plusMs } from '../../../platform/clock.ts'
import type { CallbackOutcome, Reply } from '../../providers/index.ts'
import type { ProviderCall } from './payment.ts'

/**
 * The outcome of a charge or a refund: the provider's reply, our own decision that it failed, or unknown. Only a definite refusal, or proof
 * that nothing was sent, is a failure; any other outcome is unknown and is looked up.
 */
export type CallOutcome = LookedUp | Deferred

/** An outcome about the call itself. */
export type LookedUp = KnownOutcome | Missing

export type KnownOutcome =
  | {
      readonly kind: 'reply'
      readonly reply: Reply
      /**
       * The reply's state is written only when none is known: the reply to the call itself may come after the reply to a look-up, and an
       * operator has no state.
       */
      readonly keepsState?: boolean
    }
  | ({ readonly kind: 'failed'; readonly reason: StatusReason; readonly neverSent?: boolean } & Trace)
  | ({ readonly kind: 'unknown' } & Trace)

/** The provider has provably not processed the call: the same call is made again after a pause. */
export type Deferred = {
  readonly kind: 'deferred'
  readonly retryAfterMs: number
  /** No byte of the call has reached the provider. */
  readonly neverSent: boolean
} & Trace

interface Trace {
  readonly providerStatus: string
  readonly notFoundChecks?: number
}

/** The provider does not know the call. The reply is interpreted behind the payment's lock, from the state of the row at that time. */
interface Missing {
  readonly kind: 'missing'
  /** The number of consecutive look-ups that had not found the call before this one. */
  readonly missedBefore: number
  readonly attemptTtlMs: number
  /** Whether the provider would find the call if it had received it. */
  readonly isProof: boolean
}

/** An operator's decision on an attempt that the gateway cannot resolve. */
export interface Decision {
  readonly kind: 'decided'
  readonly verdict:
    | { readonly outcome: 'completed'; readonly reference: string }
    | { readonly outcome: 'failed' }
}

/** An operator's decision on a refund. paid: sent by hand, under this reference. failed: it cannot be paid, for this reason. */
export interface OperatorRefundDecision {
  readonly kind: 'decided'
  readonly verdict:
    | { readonly kind: 'paid'; readonly reference: string }
    | { readonly kind: 'failed'; readonly reason: string }
    /** The payer of a duplicate charge cannot be reached. */
    | { readonly kind: 'unclaimed'; readonly reason: string }
}

/** The prefix of a reason that an operator has given. */
export const BY_OPERATOR = 'operator: '

/** The status of a refund that an operator has confirmed. The index refunds_sent_by_hand has this text. */
export const PAID_BY_OPERATOR = 'paid by the operator'

/** A charge that its provider does not find fails after this many consecutive look-ups, once its time to live is over. */
const NOT_FOUND_CHECKS = 2

/** After so many failures to record its outcome, a call is no longer looked up on schedule: an operator decides. */
export const MOST_OUTCOME_FAILURES = 5

/**
 * Interprets an outcome with the row of the call, read behind its payment's lock at the time `now`. "Not found" counts only where it is proof,
 * for a call that its provider has never acknowledged, and concurrent look-ups count once. Any other call stays open until an operator reviews
 * it.
 */
export function interpretOutcome(now: Date, call: ProviderCall, outcome: LookedUp): KnownOutcome {
  if (outcome.kind !== 'missing') return outcome
  const providerStatus = 'not found'
  if (isAcknowledged(call) || !outcome.isProof) return { kind: 'unknown', providerStatus }
  const notFoundChecks = Math.min(call.notFoundChecks, outcome.missedBefore) + 1
  const pastItsLife = now > plusMs(call.createdAt, outcome.attemptTtlMs)
  return pastItsLife && notFoundChecks >= NOT_FOUND_CHECKS
    ? { kind: 'failed', reason: 'expired', providerStatus, notFoundChecks }
    : { kind: 'unknown', providerStatus, notFoundChecks }
}

/**
 * The remaining work after the look-up that a callback started. A provider that sends a callback for a call that is recorded as paid, and
 * then does not find it or reports it pending, has not yet explained the callback. An open or failed call is looked up on schedule.
 * @param isPaid whether the call is recorded as paid
 */
export const callbackOutcome = (outcome: CallOutcome, isPaid: boolean): CallbackOutcome => {
  const isUnreported =
    outcome.kind === 'missing' || (outcome.kind === 'reply' && outcome.reply.outcome === 'pending')
  return outcome.kind === 'unknown' || outcome.kind === 'deferred' || (isPaid && isUnreported)
    ? 'again'
    : 'done'
}

/** Whether the provider has ever acknowledged the call. */
const isAcknowledged = ({ providerState, providerReference }: ProviderCall): boolean =>
  providerState !== null || providerReference !== null

/**
 * The columns that a reply changes. The row keeps its reference when the reply names none, and its state when the reply does not replace
 * it.
 */
export const factsOf = (
  { providerStatus, state, providerReference }: Reply,
  { providerState }: Pick<ProviderCall, 'providerState'>,
  keepsState = false,
) => ({
  providerStatus,
  ...(!(keepsState && providerState !== null) && { providerState: state }),
  notFoundChecks: 0,
  ...(providerReference !== null && { providerReference }),
})

/** The columns that our own decision writes. */
export const traceOf = ({ providerStatus, notFoundChecks }: Trace): Trace => ({
  providerStatus,
  ...(notFoundChecks !== undefined && { notFoundChecks }),
})

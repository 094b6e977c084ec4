import { type AttemptId, RefundId } from '@muripo/contract/ids'
import type { StatusReason } from '@muripo/contract/payments'
import { plusMs } from '../../../platform/clock.ts'
import {
  type OpenSpan,
  type PaymentSpan,
  type SpanAttributes,
  traced,
} from '../../../platform/tracing/tracing.ts'
import {
  type CallbackOutcome,
  type Connector,
  type NotFound,
  ProviderError,
  type Reply,
} from '../../providers/index.ts'
import type { PaymentsCtx } from '../context.ts'
import type { ProviderCall } from '../payment.ts'
import { storableStep } from './next-action.ts'

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
}

/** A charge or a refund. */
type IdentifiedCall = ProviderCall & { readonly id: AttemptId | RefundId }

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
}

/** The prefix of a reason that an operator has given. */
export const BY_OPERATOR = 'operator: '

/** A charge that its provider does not find fails after this many consecutive look-ups, once its time to live is over. */
const NOT_FOUND_CHECKS = 2

/** After so many failures to record its outcome, a call is no longer looked up on schedule: an operator decides. */
export const MOST_OUTCOME_FAILURES = 5

/** The outcome of a call that moves money. The call is made once; this function never repeats it. */
export const callProvider = (
  ctx: PaymentsCtx,
  call: IdentifiedCall,
  provider: string,
  request: () => Promise<Reply>,
): Promise<CallOutcome> =>
  traced(
    spanOf(ctx, call, provider, call.id.startsWith(RefundId.prefix) ? 'provider.refund' : 'provider.charge'),
    () => outcomeOf(ctx, call.id, request),
    resultOf,
  )

async function outcomeOf(ctx: PaymentsCtx, id: string, request: () => Promise<Reply>): Promise<CallOutcome> {
  try {
    return { kind: 'reply', reply: keepable(ctx, await request()), keepsState: true }
  } catch (error) {
    if (!(error instanceof ProviderError)) {
      ctx.log.error({ err: error, id }, 'a connector threw something else than a provider error')
      return { kind: 'unknown', providerStatus: 'connector error' }
    }
    const providerStatus = keepableText(error.providerCode ?? error.message)
    const { neverSent, retryAfterMs } = error
    if (retryAfterMs !== null) return { kind: 'deferred', retryAfterMs, neverSent, providerStatus }
    switch (error.kind) {
      case 'declined':
        return { kind: 'failed', reason: error.reason ?? 'declined', providerStatus }
      case 'invalid':
        ctx.log.error({ err: error, id }, 'a provider refused our request')
        return { kind: 'failed', reason: 'provider_unavailable', providerStatus, neverSent }
      case 'unavailable':
        return { kind: 'failed', reason: 'provider_unavailable', providerStatus, neverSent }
      case 'unknown':
        return { kind: 'unknown', providerStatus }
    }
  }
}

/**
 * The outcome of a look-up. A failed look-up says nothing about the charge, whatever the error, and must not prevent a later review by an
 * operator: also when the connector has a bug, or no longer exists.
 */
export const lookUp = (
  ctx: PaymentsCtx,
  call: IdentifiedCall,
  provider: string,
  request: (connector: Connector) => Promise<Reply | NotFound>,
): Promise<CallOutcome> =>
  traced(
    spanOf(ctx, call, provider, 'provider.lookup'),
    () => lookedUp(ctx, call, provider, request),
    resultOf,
  )

const spanOf = (
  { tracing }: PaymentsCtx,
  { paymentId, id }: IdentifiedCall,
  provider: string,
  name: PaymentSpan,
): OpenSpan | undefined =>
  tracing?.payment(paymentId, name, { 'muripo.call.id': id, 'muripo.provider': provider })

/** The provider's own words are left out: they may contain anything. */
const resultOf = (outcome: CallOutcome): SpanAttributes => ({
  'muripo.outcome': outcome.kind === 'reply' ? outcome.reply.outcome : outcome.kind,
})

async function lookedUp(
  ctx: PaymentsCtx,
  call: ProviderCall,
  provider: string,
  request: (connector: Connector) => Promise<Reply | NotFound>,
): Promise<CallOutcome> {
  try {
    const connector = ctx.providers.byId(provider)
    const found = await request(connector)
    if (found.kind === 'reply') return { kind: 'reply', reply: keepable(ctx, found) }
    return { kind: 'missing', missedBefore: call.notFoundChecks, attemptTtlMs: connector.attemptTtlMs }
  } catch (error) {
    if (error instanceof ProviderError) {
      const { retryAfterMs, neverSent } = error
      const providerStatus = keepableText(error.providerCode ?? error.message)
      return retryAfterMs === null
        ? { kind: 'unknown', providerStatus }
        : { kind: 'deferred', retryAfterMs, neverSent, providerStatus }
    }
    ctx.log.error({ err: error, paymentId: call.paymentId, provider }, 'a look-up failed')
    return { kind: 'unknown', providerStatus: 'connector error' }
  }
}

/**
 * Interprets an outcome with the row of the call, read behind its payment's lock at the time `now`. A provider that has acknowledged a call
 * is never believed when it does not find the call: the call stays open, until an operator reviews it. For a call that was never
 * acknowledged, look-ups at the same moment count once.
 */
export function interpretOutcome(now: Date, call: ProviderCall, outcome: LookedUp): KnownOutcome {
  if (outcome.kind !== 'missing') return outcome
  const providerStatus = 'not found'
  if (isAcknowledged(call)) return { kind: 'unknown', providerStatus }
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

/** Some providers pad a field with NUL, or cut a character in half: the outcome must be stored nevertheless. */
const keepableText = (text: string): string => text.replaceAll('\0', '').toWellFormed()

function keepable(ctx: Pick<PaymentsCtx, 'log'>, reply: Reply): Reply {
  const state = Object.entries(reply.state).map(([name, value]) => [
    name,
    typeof value === 'string' ? keepableText(value) : value,
  ])
  const { next: given, ...rest } = reply
  const next = given && storableStep(given, keepableText)
  if (next === null)
    ctx.log.error({ next: given }, 'a provider named a page that is no web address for the payer')
  return {
    ...rest,
    ...(next && { next }),
    providerStatus: keepableText(reply.providerStatus),
    providerReference: reply.providerReference === null ? null : keepableText(reply.providerReference),
    state: Object.fromEntries(state),
  }
}

import type { StatusReason } from '@muripo/contract/payments'
import { plusMs } from '../../../platform/clock.ts'
import {
  type CallbackOutcome,
  type Connector,
  type NotFound,
  ProviderError,
  type Reply,
} from '../../providers/index.ts'
import type { PaymentsCtx } from '../context.ts'
import type { ProviderCall } from '../payment.ts'

/**
 * What is known of a charge or a refund: the provider's word, our own verdict that it failed, or that nothing can be known yet.
 * Only a positive refusal or the proof that nothing was sent is a failure; everything else is unknown and is looked up.
 */
export type CallOutcome = KnownOutcome | Missing

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

interface Trace {
  readonly providerStatus: string
  readonly notFoundChecks?: number
}

/** The provider does not know the call. The reply is interpreted behind the payment's lock, from the state of the row at that time. */
interface Missing {
  readonly kind: 'missing'
  /** How often in a row it had not been found when its provider was asked. */
  readonly missedBefore: number
  readonly attemptTtlMs: number
}

/** What a person has learnt of an attempt that nobody else could decide. */
export interface Decision {
  readonly kind: 'decided'
  readonly verdict:
    | { readonly outcome: 'completed'; readonly reference: string }
    | { readonly outcome: 'failed' }
}

/** What a person has done about a refund. paid: by hand, under this reference. failed: it cannot be paid, for this reason. */
export interface RefundDecision {
  readonly kind: 'decided'
  readonly verdict:
    | { readonly kind: 'paid'; readonly reference: string }
    | { readonly kind: 'failed'; readonly reason: string }
}

/** Stands before the reason that a person has given. */
export const BY_OPERATOR = 'operator: '

/** A charge that its provider does not know is given up after this many looks in a row, once it is past its life. */
const NOT_FOUND_CHECKS = 2

/** After so many failures to record its outcome, a call is no longer looked up on a schedule: an operator decides. */
export const MOST_OUTCOME_FAILURES = 5

/** The outcome of a call that moves money. It is made once; nothing here repeats it. */
export async function callProvider(ctx: PaymentsCtx, id: string, call: Promise<Reply>): Promise<CallOutcome> {
  try {
    return { kind: 'reply', reply: keepable(await call), keepsState: true }
  } catch (error) {
    if (!(error instanceof ProviderError)) {
      ctx.log.error({ err: error, id }, 'a connector threw something else than a provider error')
      return { kind: 'unknown', providerStatus: 'connector fault' }
    }
    const providerStatus = keepableText(error.providerCode ?? error.message)
    const { neverSent } = error
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
 * The outcome of looking a call up. Whatever a look-up fails with says nothing of the charge itself, and must not keep it from coming
 * before a person in the end: also when the connector is at fault, or is not built in any more.
 */
export async function lookUp(
  ctx: PaymentsCtx,
  call: ProviderCall,
  provider: string,
  ask: (connector: Connector) => Promise<Reply | NotFound>,
): Promise<CallOutcome> {
  try {
    const connector = ctx.providers.byId(provider)
    const found = await ask(connector)
    if (found.kind === 'reply') return { kind: 'reply', reply: keepable(found) }
    return { kind: 'missing', missedBefore: call.notFoundChecks, attemptTtlMs: connector.attemptTtlMs }
  } catch (error) {
    if (error instanceof ProviderError)
      return { kind: 'unknown', providerStatus: keepableText(error.providerCode ?? error.message) }
    ctx.log.error({ err: error, paymentId: call.paymentId, provider }, 'a look-up failed')
    return { kind: 'unknown', providerStatus: 'connector fault' }
  }
}

/**
 * What an outcome says of a call as it is behind its payment's lock, which is of the time `now`. A provider that has said anything of a call is never believed to
 * not know it: it stays open, and comes before a person. Of one that has never been heard of, looks at the same moment count as one.
 */
export function interpretOutcome(now: Date, call: ProviderCall, outcome: CallOutcome): KnownOutcome {
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
 * What the look-up after a callback leaves to do. A provider that tells of a call that it has paid, and then does not know it or calls it
 * pending, has not yet said what its callback is about. A call that is open or has failed is looked up by itself.
 * @param isPaid whether the call is recorded as paid
 */
export const callbackOutcome = (outcome: CallOutcome, isPaid: boolean): CallbackOutcome => {
  const isUnsaid =
    outcome.kind === 'missing' || (outcome.kind === 'reply' && outcome.reply.outcome === 'pending')
  return outcome.kind === 'unknown' || (isPaid && isUnsaid) ? 'again' : 'done'
}

/** Whether the provider has ever said something of it. */
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

/** What our own verdict leaves on the row. */
export const traceOf = ({ providerStatus, notFoundChecks }: Trace): Trace => ({
  providerStatus,
  ...(notFoundChecks !== undefined && { notFoundChecks }),
})

/** A provider pads a field with NUL, or cuts a character in half: that must not keep its outcome from being written down. */
const keepableText = (text: string): string => text.replaceAll('\0', '').toWellFormed()

function keepable(reply: Reply): Reply {
  const state = Object.entries(reply.state).map(([name, value]) => [
    name,
    typeof value === 'string' ? keepableText(value) : value,
  ])
  return {
    ...reply,
    providerStatus: keepableText(reply.providerStatus),
    providerReference: reply.providerReference === null ? null : keepableText(reply.providerReference),
    state: Object.fromEntries(state),
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import { type AttemptId, RefundId } from '@muripo/contract/ids'
import { isDatabaseAway, isDatabaseBusy, isOutcomeUnknown } from '../../../platform/db/failures.ts'
import {
  type OpenSpan,
  type PaymentSpan,
  type SpanAttributes,
  traced,
} from '../../../platform/tracing/tracing.ts'
import {
  CALL_LEASE_MS,
  type Connector,
  type LookupCause,
  type NotFound,
  ProviderError,
  type Reply,
} from '../../providers/index.ts'
import type { PaymentsCtx } from '../context.ts'
import { type AttemptStatus, isUnderway, type RefundStatus } from '../payment/moves.ts'
import type { CallOutcome, LookedUp } from '../payment/outcome.ts'
import type { ProviderCall } from '../payment/payment.ts'
import { waitForChanges } from '../payment/store-payment.ts'
import { storableReply, storableText } from './storable-reply.ts'
import { postponeLookup } from './store-provider-calls.ts'

/** After this time a call whose sender has not recorded an outcome is looked up. */
export const SENDING_LEASE_MS = CALL_LEASE_MS

/** The time at which a process began to open a call, in milliseconds by two clocks of its own. */
export interface SendingStart {
  readonly clockMs: number
  readonly wallClockMs: number
}

/** The clocks are read before the row is written, so that the lease of the row ends later. */
export const startSending = (ctx: Pick<PaymentsCtx, 'clock' | 'wallClock'>): SendingStart => ({
  clockMs: ctx.clock.now().getTime(),
  wallClockMs: ctx.wallClock.now().getTime(),
})

/** Shorter than a call's lease, so that a row that is found may still be sent. */
const READ_BACK_MS = 20_000
const READ_BACK_PAUSE_MS = 200

/**
 * Runs a transaction that opens a call to a provider. When the database does not confirm its commit, the row is read back on another
 * session: a row that exists is returned as if the commit had been confirmed, so that its call is sent; without a row nothing was written,
 * and the caller may try again at once. The reading waits for the transaction in doubt, which holds the payment's lock.
 * @param found the row that the transaction has written, or null
 * @throws the error of `open`, when nothing was written or the database does not answer in time
 */
export async function resolvingCommit<Opened>(
  ctx: PaymentsCtx,
  { accountId, paymentId }: Pick<ProviderCall, 'accountId' | 'paymentId'>,
  open: () => Promise<Opened>,
  found: () => Promise<Opened | null>,
): Promise<Opened> {
  try {
    return await open()
  } catch (error) {
    if (!isOutcomeUnknown(error)) throw error
    ctx.log.error({ err: error, paymentId }, 'a commit was not confirmed; it is read back')
    const opened = await readBack(async () => {
      await waitForChanges(ctx.db.kysely, accountId, paymentId)
      return found()
    })
    if (opened === null) throw error
    return opened
  }
}

/** Reads until the database answers; null when it does not answer in time. */
async function readBack<Found>(read: () => Promise<Found | null>): Promise<Found | null> {
  const deadline = performance.now() + READ_BACK_MS
  for (;;) {
    try {
      return await read()
    } catch (error) {
      if (!isDatabaseAway(error) && !isDatabaseBusy(error)) throw error
      if (performance.now() > deadline) return null
      await pause(READ_BACK_PAUSE_MS)
    }
  }
}

/**
 * Whether this process may still send a call that it has recorded. A process that was paused until the lease ended sends nothing: another
 * process may have learnt that the provider does not find the call, and a new call may have begun.
 *
 * Each clock is compared with itself, so a wrong clock changes nothing. The timer behind `ctx.clock` stops while the machine is suspended,
 * and the wall clock does not; the wall clock may be set back, and the timer is not. The longer of both decides.
 */
export function maySend(
  ctx: Pick<PaymentsCtx, 'clock' | 'wallClock' | 'log'>,
  start: SendingStart,
  { paymentId }: Pick<ProviderCall, 'paymentId'>,
): boolean {
  const now = startSending(ctx)
  const elapsedMs = Math.max(now.clockMs - start.clockMs, now.wallClockMs - start.wallClockMs)
  if (elapsedMs < SENDING_LEASE_MS) return true
  ctx.log.error(
    { paymentId, elapsedMs },
    'this process was paused before it called a provider; the call is looked up and not sent',
  )
  return false
}

/**
 * Guards a call that may wait for its turn after `maySend` has allowed it: it is asked again before the first byte.
 * isLate: the lease ended during the wait, and nothing was sent.
 */
export function sendingGuard(
  ctx: Pick<PaymentsCtx, 'clock' | 'wallClock' | 'log'>,
  start: SendingStart,
  call: Pick<ProviderCall, 'paymentId'>,
): { isLate(): boolean; beforeSending(): void } {
  let isLate = false
  return {
    isLate: () => isLate,
    beforeSending() {
      isLate = !maySend(ctx, start, call)
      if (isLate)
        throw new ProviderError('unavailable', 'the lease of the call has ended', { neverSent: true })
    },
  }
}

/** A callback reports a change, whatever the recorded status; other look-ups of an ended call are not urgent. */
export const causeOf = (cause: LookupCause, status: AttemptStatus | RefundStatus): LookupCause =>
  cause === 'callback' || isUnderway(status) ? cause : 'watch'

/** The address of a provider's callback. The simulator of development is on this machine, and needs no tunnel. */
export function callbackUrl(
  { config }: Pick<PaymentsCtx, 'config'>,
  provider: string,
  token: string,
): string {
  const origin = config.tunnelUrl === null ? config.publicUrl : `http://localhost:${config.port}`
  return `${origin}/callbacks/${provider}/${token}`
}

/** A charge or a refund. */
type IdentifiedCall = ProviderCall & { readonly id: AttemptId | RefundId }

const isRefund = ({ id }: IdentifiedCall): boolean => id.startsWith(RefundId.prefix)

/** The outcome of a call that moves money. The call is made once; this function never repeats it. */
export const callProvider = (
  ctx: PaymentsCtx,
  call: IdentifiedCall,
  provider: string,
  request: () => Promise<Reply>,
): Promise<CallOutcome> =>
  traced(
    spanOf(ctx, call, provider, isRefund(call) ? 'provider.refund' : 'provider.charge'),
    () => outcomeOf(ctx, call.id, request),
    resultOf,
  )

async function outcomeOf(ctx: PaymentsCtx, id: string, request: () => Promise<Reply>): Promise<CallOutcome> {
  try {
    return { kind: 'reply', reply: storableReply(ctx, await request()), keepsState: true }
  } catch (error) {
    if (!(error instanceof ProviderError)) {
      ctx.log.error({ err: error, id }, 'a connector threw something else than a provider error')
      return { kind: 'unknown', providerStatus: 'connector error' }
    }
    const providerStatus = storableText(error.providerCode ?? error.message)
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
 * The outcome of a look-up. The error of a failed look-up does not show the state of the charge, and must not prevent a later review by an
 * operator, even when the connector has a bug or no longer exists.
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
  call: IdentifiedCall,
  provider: string,
  request: (connector: Connector) => Promise<Reply | NotFound>,
): Promise<CallOutcome> {
  try {
    const connector = ctx.providers.byId(provider)
    const found = await request(connector)
    if (found.kind === 'reply') return { kind: 'reply', reply: storableReply(ctx, found) }
    const { attemptTtlMs, refundLookup } = connector
    const isProof = !isRefund(call) || refundLookup === 'proved'
    return { kind: 'missing', missedBefore: call.notFoundChecks, attemptTtlMs, isProof }
  } catch (error) {
    if (error instanceof ProviderError) {
      const { retryAfterMs, neverSent } = error
      const providerStatus = storableText(error.providerCode ?? error.message)
      return retryAfterMs === null
        ? { kind: 'unknown', providerStatus }
        : { kind: 'deferred', retryAfterMs, neverSent, providerStatus }
    }
    ctx.log.error({ err: error, paymentId: call.paymentId, provider }, 'a look-up failed')
    return { kind: 'unknown', providerStatus: 'connector error' }
  }
}

/**
 * Postpones a look-up that its provider did not process. When the time for look-ups is over, such a look-up counts as one without an answer,
 * so that an operator gets the call.
 * @returns the outcome to apply; null for a postponed look-up
 */
export async function unlessPostponed(
  ctx: PaymentsCtx,
  table: 'payment_attempts' | 'refunds',
  call: IdentifiedCall,
  outcome: CallOutcome,
): Promise<LookedUp | null> {
  if (outcome.kind !== 'deferred') return outcome
  const { retryAfterMs, providerStatus } = outcome
  if (await postponeLookup(ctx.db.kysely, table, call, retryAfterMs)) return null
  return { kind: 'unknown', providerStatus }
}

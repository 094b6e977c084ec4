import type { PaymentCtx } from '../context.ts'
import { both, type Effects, nothing } from '../effects.ts'
import { factsOf, type LookedUp } from '../outcome.ts'
import type { Attempt, Refund } from '../payment.ts'
import { newWatch, type Watch, watchAfter } from '../schedule.ts'
import type { WholeState } from '../state.ts'
import { openAnomaly } from './open-anomaly.ts'

type Ctx = Pick<PaymentCtx, 'ids'>

/**
 * Decides about a look-up of a failed charge that has moved no money. When the provider has the charge, that is recorded, and the charge is
 * looked up more often. When the watch ends without a final answer, an operator reviews it. The charge stays failed: a late reply may be
 * older than the failure.
 */
export function watchCharge(ctx: Ctx, state: WholeState, attempt: Attempt, reported: LookedUp): Effects {
  const watched = watchOn(ctx, state, attempt, reported)
  if (watched === null) return nothing
  const { change, isUnresolved } = watched
  const effects = { attempt: { before: attempt, change } }
  return isUnresolved ? both(effects, openUnresolved(ctx, state, { attempt }, reported)) : effects
}

/** The same about a look-up of a failed refund that its provider has not paid. */
export function watchRefund(
  ctx: Ctx,
  state: WholeState,
  { refund, charge }: { readonly refund: Refund; readonly charge: Attempt },
  reported: LookedUp,
): Effects {
  const watched = watchOn(ctx, state, refund, reported)
  if (watched === null) return nothing
  const { change, isUnresolved } = watched
  const effects = { refund: { before: refund, change } }
  return isUnresolved
    ? both(effects, openUnresolved(ctx, state, { attempt: charge, refund }, reported))
    : effects
}

/** The change of a failed call after a look-up; null when its watch stays ended. */
function watchOn(ctx: Ctx, { at }: WholeState, call: Attempt | Refund, reported: LookedUp) {
  const next = nextWatch(ctx, call, reported, at)
  if (next === null) return null
  const { isUnresolved, ...change } = next
  const isPending = resultOf(reported) === 'pending'
  const facts = isPending && reported.kind === 'reply' ? factsOf(reported.reply, call, true) : {}
  return { change: { ...facts, ...change }, isUnresolved }
}

function nextWatch(
  ctx: Ctx,
  { watchUntil, nextWatchAt }: Attempt | Refund,
  reported: LookedUp,
  now: Date,
): (Watch & { readonly isUnresolved: boolean }) | null {
  const result = resultOf(reported)
  const isOver = watchUntil === null || (nextWatchAt === null && now >= watchUntil)
  if (!isOver) return watchAfter({ watchUntil }, result, now, ctx.ids)
  // A callback arrived after the watch had ended. A callback whose look-up failed is retried automatically.
  if (result === 'unknown' || (result === 'no' && reported.kind !== 'missing')) return null
  return { ...newWatch(now, ctx.ids), isUnresolved: false }
}

function resultOf(reported: LookedUp): 'no' | 'pending' | 'unknown' {
  if (reported.kind === 'unknown') return 'unknown'
  if (reported.kind !== 'reply') return 'no'
  return reported.reply.outcome === 'failed' ? 'no' : 'pending'
}

/** Opens an anomaly: the watch has ended, and the provider's final answer is unknown. */
function openUnresolved(
  ctx: Ctx,
  state: WholeState,
  about: { readonly attempt: Attempt; readonly refund?: Refund },
  reported: LookedUp,
): Effects {
  const isPending = resultOf(reported) === 'pending'
  const providerStatus =
    reported.kind === 'reply'
      ? reported.reply.providerStatus
      : reported.kind === 'missing'
        ? 'not found'
        : reported.providerStatus
  const kind = isPending ? 'still_pending' : 'unanswered'
  return openAnomaly(ctx, state, { ...about, kind, providerStatus }).effects
}

import type { Tx } from '../../../../platform/db/database.ts'
import type { PaymentsCtx } from '../../context.ts'
import { factsOf, type LookedUp } from '../../payment/outcome.ts'
import type { Attempt, LockedPayment, Refund } from '../../payment/payment.ts'
import { newWatch, type Watch, watchAfter } from '../../payment/schedule.ts'
import { updateAttempt } from '../../payment/store-attempts.ts'
import { openAnomaly } from '../../review/actions/open-anomaly.ts'
import { findWatch } from '../store-watched.ts'

/**
 * Records a look-up of a failed charge that has moved no money. When the provider has the charge, that is recorded, and the charge is
 * looked up more often. When the watch ends without a final answer, an operator reviews it. The charge stays failed: a late reply may be
 * older than the failure.
 */
export async function watchOn(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  attempt: Attempt,
  reported: LookedUp,
): Promise<void> {
  const watch = await findWatch(tx, 'payment_attempts', attempt)
  const next = nextWatch(ctx, watch, reported, payment.lockedAt)
  if (next === null) return
  const { isUnresolved, ...change } = next
  const isPending = resultOf(reported) === 'pending'
  const facts = isPending && reported.kind === 'reply' ? factsOf(reported.reply, attempt, true) : {}
  await updateAttempt(tx, attempt, { ...facts, ...change }, payment.lockedAt)
  if (isUnresolved) await openUnresolved(ctx, tx, { payment, attempt }, reported)
}

/** The watch after a look-up of a failed call; null when the watch stays ended. */
export function nextWatch(
  ctx: PaymentsCtx,
  watch: Watch | null,
  reported: LookedUp,
  now: Date,
): (Watch & { readonly isUnresolved: boolean }) | null {
  const result = resultOf(reported)
  const isOver = watch === null || (watch.nextWatchAt === null && now >= watch.watchUntil)
  if (!isOver) return watchAfter(watch, result, now, ctx.ids)
  // A callback arrived after the watch had ended. A callback whose look-up failed is retried automatically.
  if (result === 'unknown' || (result === 'no' && reported.kind !== 'missing')) return null
  return { ...newWatch(now, ctx.ids), isUnresolved: false }
}

export function resultOf(reported: LookedUp): 'no' | 'pending' | 'unknown' {
  if (reported.kind === 'unknown') return 'unknown'
  if (reported.kind !== 'reply') return 'no'
  return reported.reply.outcome === 'failed' ? 'no' : 'pending'
}

/** Opens an anomaly: the watch has ended, and the provider's final answer is unknown. */
export async function openUnresolved(
  ctx: PaymentsCtx,
  tx: Tx,
  about: { readonly payment: LockedPayment; readonly attempt: Attempt; readonly refund?: Refund },
  reported: LookedUp,
): Promise<void> {
  const isPending = resultOf(reported) === 'pending'
  const providerStatus =
    reported.kind === 'reply'
      ? reported.reply.providerStatus
      : reported.kind === 'missing'
        ? 'not found'
        : reported.providerStatus
  await openAnomaly(ctx, tx, { ...about, kind: isPending ? 'still_pending' : 'unanswered', providerStatus })
}

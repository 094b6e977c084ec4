import type { PaymentsCtx } from '../../context.ts'
import type { Attempt, Refund } from '../../payment.ts'
import type { CallOutcome, LookedUp } from '../outcome.ts'
import { postponeLookup } from '../store-provider-calls.ts'

/**
 * Postpones a look-up that its provider did not process. When the time for look-ups is over, such a look-up counts as one without an answer,
 * so that an operator gets the call.
 * @returns the outcome to apply; null for a postponed look-up
 */
export async function unlessPostponed(
  ctx: PaymentsCtx,
  table: 'payment_attempts' | 'refunds',
  call: Attempt | Refund,
  outcome: CallOutcome,
): Promise<LookedUp | null> {
  if (outcome.kind !== 'deferred') return outcome
  const { retryAfterMs, providerStatus } = outcome
  if (await postponeLookup(ctx.db.kysely, table, call, retryAfterMs)) return null
  return { kind: 'unknown', providerStatus }
}

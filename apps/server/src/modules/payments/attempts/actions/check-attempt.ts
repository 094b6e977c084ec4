import type { AccountId, AttemptId } from '@muripo/contract/ids'
import { suffixOf } from '../../../../platform/ids.ts'
import type { CallbackOutcome, LookupCause } from '../../../providers/index.ts'
import type { PaymentsCtx } from '../../context.ts'
import { isSettled, isUnderway } from '../../machine.ts'
import { countingFailures } from '../../provider-calls/actions/count-outcome-failures.ts'
import { unlessPostponed } from '../../provider-calls/actions/postpone-lookup.ts'
import { callbackOutcome, lookUp } from '../../provider-calls/outcome.ts'
import { findAttempt } from '../store-attempts.ts'
import { applyOutcome } from './apply-outcome.ts'

/**
 * Looks an attempt up at its provider and applies the reply. Failed attempts are looked up too, because a provider may pay late what it had
 * refused, and completed ones, because a provider may reverse a payment.
 */
export async function checkAttempt(
  ctx: PaymentsCtx,
  accountId: AccountId,
  id: AttemptId,
  { provider, cause = 'schedule' }: { readonly provider?: string; readonly cause?: LookupCause } = {},
): Promise<CallbackOutcome> {
  const attempt = await findAttempt(ctx.db.kysely, accountId, id)
  if (attempt === null || (provider !== undefined && provider !== attempt.provider)) return 'unknown token'
  // An operator is handling the attempt.
  if (attempt.status === 'held') return 'done'
  // The provider has provably not processed the charge yet.
  if (attempt.isDeferred) return 'again'
  const request = {
    accountId: attempt.accountId,
    key: suffixOf(attempt.id),
    msisdn: attempt.msisdn,
    state: attempt.providerState,
    cause: isUnderway(attempt.status) ? cause : ('watch' as const),
  }
  const found = await lookUp(ctx, attempt, attempt.provider, (connector) => connector.lookup(request))
  const outcome = await unlessPostponed(ctx, 'payment_attempts', attempt, found)
  if (outcome === null) return 'again'
  const applied = await countingFailures(ctx, attempt, applyOutcome(ctx, attempt, outcome))
  const status = applied ?? (await findAttempt(ctx.db.kysely, accountId, id))?.status
  return callbackOutcome(outcome, status !== undefined && isSettled(status))
}

import type { AccountId, AttemptId } from '@muripo/contract/ids'
import { suffixOf } from '../../../../platform/ids.ts'
import type { CallbackOutcome } from '../../../providers/index.ts'
import type { PaymentsCtx } from '../../context.ts'
import { isSettled } from '../../machine.ts'
import { countingFailures } from '../../provider-calls/actions/count-outcome-failures.ts'
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
  provider?: string,
): Promise<CallbackOutcome> {
  const attempt = await findAttempt(ctx.db.kysely, accountId, id)
  if (attempt === null || (provider !== undefined && provider !== attempt.provider)) return 'unknown token'
  // An operator is handling the attempt.
  if (attempt.status === 'held') return 'done'
  const request = {
    accountId: attempt.accountId,
    key: suffixOf(attempt.id),
    msisdn: attempt.msisdn,
    state: attempt.providerState,
  }
  const outcome = await lookUp(ctx, attempt, attempt.provider, (connector) => connector.lookup(request))
  const applied = await countingFailures(ctx, attempt, applyOutcome(ctx, attempt, outcome))
  const status = applied ?? (await findAttempt(ctx.db.kysely, accountId, id))?.status
  return callbackOutcome(outcome, status !== undefined && isSettled(status))
}

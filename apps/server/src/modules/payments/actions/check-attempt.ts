import type { AttemptId, MerchantId } from '@muripo/contract/ids'
import { suffixOf } from '../../../platform/ids.ts'
import type { PaymentsCtx } from '../context.ts'
import { isSettled } from '../machine.ts'
import { lookUp } from '../outcome.ts'
import { findAttempt } from '../store-attempts.ts'
import { applyOutcome } from './apply-outcome.ts'
import { countingFailures } from './outcome-failures.ts'

/**
 * Asks the provider what became of an attempt and applies the answer. A failed attempt is asked for too: a provider may confirm late
 * what it had refused. False when there is no such attempt of this provider.
 */
export async function checkAttempt(
  ctx: PaymentsCtx,
  merchantId: MerchantId,
  id: AttemptId,
  provider?: string,
): Promise<boolean> {
  const attempt = await findAttempt(ctx.db.kysely, merchantId, id)
  if (attempt === null || (provider !== undefined && provider !== attempt.provider)) return false
  if (isSettled(attempt.status) || attempt.status === 'held') return true
  const request = { key: suffixOf(attempt.id), msisdn: attempt.msisdn, state: attempt.providerState }
  const outcome = await lookUp(ctx, attempt, attempt.provider, (connector) => connector.lookup(request))
  await countingFailures(ctx, attempt, applyOutcome(ctx, attempt, outcome))
  return true
}

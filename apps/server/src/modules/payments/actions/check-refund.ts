import type { AccountId, RefundId } from '@muripo/contract/ids'
import { invariant } from '../../../platform/errors.ts'
import { suffixOf } from '../../../platform/ids.ts'
import type { CallbackOutcome, LookupCause } from '../../providers/index.ts'
import type { PaymentsCtx } from '../context.ts'
import { numberOf } from '../customers/retained-numbers.ts'
import { callbackOutcome } from '../payment/outcome.ts'
import { findAttempt } from '../payment/store-attempts.ts'
import { findRefund } from '../payment/store-refunds.ts'
import { causeOf, lookUp, unlessPostponed } from '../provider-calls/call-provider.ts'
import { applyRefundOutcome } from './apply-refund-outcome.ts'
import { countingFailures } from './count-outcome-failures.ts'

/**
 * Looks a refund up at its provider and applies the reply. Failed refunds are looked up too, because a provider may pay late what it had
 * refused, and completed ones, because a provider may report that it did not pay after all.
 */
export async function checkRefund(
  ctx: PaymentsCtx,
  accountId: AccountId,
  id: RefundId,
  { provider, cause = 'schedule' }: { readonly provider?: string; readonly cause?: LookupCause } = {},
): Promise<CallbackOutcome> {
  const refund = await findRefund(ctx.db.kysely, accountId, id)
  if (refund === null) return 'unknown token'
  const charge = await findAttempt(ctx.db.kysely, accountId, refund.attemptId)
  invariant(charge, 'a refund has its charge')
  if (provider !== undefined && provider !== charge.provider) return 'unknown token'
  // An operator is handling the refund, and finds out whether the provider paid it meanwhile.
  if (refund.status === 'awaiting_operator') return 'done'
  // The provider has provably not processed the refund yet.
  if (refund.isDeferred) return 'again'
  const request = {
    accountId: refund.accountId,
    key: suffixOf(refund.id),
    msisdn: await numberOf(ctx, charge),
    originalKey: suffixOf(charge.id),
    state: refund.providerState,
    cause: causeOf(cause, refund.status),
  }
  const found = await lookUp(ctx, refund, charge.provider, (connector) => {
    invariant(connector.lookupRefund, 'only what a provider was sent is looked up')
    return connector.lookupRefund(request)
  })
  const outcome = await unlessPostponed(ctx, 'refunds', refund, found)
  if (outcome === null) return 'again'
  const { isFinal, isPaid } = await countingFailures(ctx, refund, applyRefundOutcome(ctx, refund, outcome))
  return isFinal ? callbackOutcome(outcome, isPaid) : 'again'
}

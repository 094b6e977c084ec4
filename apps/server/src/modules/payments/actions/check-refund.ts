import type { MerchantId, RefundId } from '@muripo/contract/ids'
import { invariant } from '../../../platform/errors.ts'
import { suffixOf } from '../../../platform/ids.ts'
import type { PaymentsCtx } from '../context.ts'
import { isUnderway } from '../machine.ts'
import { lookUp } from '../outcome.ts'
import { findAttempt } from '../store-attempts.ts'
import { findRefund } from '../store-refunds.ts'
import { applyRefundOutcome } from './apply-refund-outcome.ts'

/** Asks the provider what became of a refund and applies the answer. False when there is no such refund. */
export async function checkRefund(ctx: PaymentsCtx, merchantId: MerchantId, id: RefundId): Promise<boolean> {
  const refund = await findRefund(ctx.db.kysely, merchantId, id)
  if (refund === null) return false
  if (!isUnderway(refund.status)) return true
  const charge = await findAttempt(ctx.db.kysely, merchantId, refund.attemptId)
  invariant(charge, 'a refund has the attempt that it gives back')
  const connector = ctx.providers.byId(charge.provider)
  const request = { key: suffixOf(refund.id), msisdn: charge.msisdn, state: refund.providerState }
  await applyRefundOutcome(
    ctx,
    merchantId,
    id,
    await lookUp(ctx, refund, connector, connector.lookupRefund(request)),
  )
  return true
}

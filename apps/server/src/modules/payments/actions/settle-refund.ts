import type { RefundId } from '@muripo/contract/ids'
import type { Actor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { invariant } from '../../../platform/errors.ts'
import { lockPayment } from '../store.ts'
import { findRefundAtDesk } from '../store-refund-desk.ts'
import { findRefund, updateRefund } from '../store-refunds.ts'

/** unpaid: its provider has not paid it after its failure. over: settled already. */
export type RefundSettled = 'done' | 'unpaid' | 'over' | 'none'

/**
 * Takes a refund from the list that its provider paid although it has failed, and whose money had gone out another way. Nothing is
 * booked: whose loss it is, or who has given it back, the operator knows and says.
 * @param how in the operator's words, for the log
 */
export async function settleRefund(
  ctx: Ctx,
  operator: Actor,
  id: RefundId,
  how: string,
): Promise<RefundSettled> {
  const named = await findRefundAtDesk(ctx.db.kysely, id)
  if (named === null) return 'none'
  const { merchantId, paymentId } = named
  return ctx.db.tx(async (tx) => {
    const payment = await lockPayment(tx, merchantId, paymentId)
    const refund = await findRefund(tx, merchantId, id)
    invariant(payment && refund, 'payments and refunds are never deleted')
    if (refund.paidLateAt === null) return 'unpaid'
    if (refund.settledAt !== null) return 'over'
    await updateRefund(tx, refund, { settledAt: payment.lockedAt }, payment.lockedAt)
    await audit(ctx, tx, operator, {
      action: 'refund.settled_by_operator',
      subject: id,
      merchantId,
      details: { how, reference: refund.providerReference },
    })
    return 'done'
  })
}

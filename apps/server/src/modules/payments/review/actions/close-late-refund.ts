import type { RefundId } from '@muripo/contract/ids'
import { type Money, money, toDecimal } from '@muripo/contract/money'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import { invariant } from '../../../../platform/errors.ts'
import type { PaymentsCtx } from '../../context.ts'
import { lockPayment } from '../../payment/store-payment.ts'
import { findRefund, updateRefund } from '../../payment/store-refunds.ts'
import { findOperatorRefund } from '../store-in-review.ts'
import { bookDifference } from './book-difference.ts'

/** unpaid: the provider has not paid the refund after its failure. over: already resolved. */
export type LateRefundClosed = 'done' | 'unpaid' | 'over' | 'none'

/**
 * Resolves a failed refund that its provider paid late, after its amount had been refunded otherwise. The provider's payment is booked
 * against suspense, so that clearing equals the provider's balance; the operator moves it from suspense.
 * @param how the operator's reason
 * @param paid the amount that the provider paid and has not reversed; null for the refund's own amount
 */
export async function closeLateRefund(
  ctx: PaymentsCtx,
  operator: Actor,
  id: RefundId,
  how: string,
  paid: Money | null = null,
): Promise<LateRefundClosed> {
  const named = await findOperatorRefund(ctx.db.kysely, id)
  if (named === null) return 'none'
  const { accountId, paymentId } = named
  return ctx.db.tx(async (tx) => {
    const payment = await lockPayment(tx, accountId, paymentId)
    const refund = await findRefund(tx, accountId, id)
    invariant(payment && refund, 'payments and refunds are never deleted')
    if (refund.paidLateAt === null) return 'unpaid'
    if (refund.settledAt !== null) return 'over'
    await updateRefund(tx, refund, { settledAt: payment.lockedAt }, payment.lockedAt)
    const { minor, currency } = paid ?? refund.amount
    await bookDifference(ctx, tx, named, {
      difference: money(-minor, currency),
      actor: operator,
      reason: how,
    })
    await audit(ctx, tx, operator, {
      action: 'refund.settled_by_operator',
      subject: id,
      accountId,
      details: { how, reference: refund.providerReference, amount: toDecimal(money(minor, currency)) },
    })
    return 'done'
  })
}

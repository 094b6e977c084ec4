import type { AccountId, PaymentId } from '@muripo/contract/ids'
import type { PaymentsCtx } from '../context.ts'
import { lockPayment } from '../store.ts'
import { terminatePayment } from '../termination.ts'

/** Expires a payment, unless it was completed, cancelled or failed meanwhile. */
export async function expirePayment(
  ctx: PaymentsCtx,
  accountId: AccountId,
  paymentId: PaymentId,
): Promise<void> {
  await ctx.db.groupCommit(paymentId, async (tx) => {
    const payment = await lockPayment(tx, accountId, paymentId)
    if (payment?.status !== 'pending' || payment.termination !== null) return
    if (payment.expiresAt <= payment.lockedAt) await terminatePayment(ctx, tx, payment, 'expired')
  })
}

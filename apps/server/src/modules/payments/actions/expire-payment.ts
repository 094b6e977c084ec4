import type { AccountId, PaymentId } from '@muripo/contract/ids'
import type { PaymentsCtx } from '../context.ts'
import { commitChange } from '../payment/commit.ts'
import { isOpen } from '../payment/moves.ts'
import { readState } from '../payment/state.ts'
import { terminationChange } from '../payment/termination.ts'

/** Expires a payment, unless it was completed, cancelled or failed meanwhile. A payment that another change overtakes is left to the next round. */
export async function expirePayment(
  ctx: PaymentsCtx,
  accountId: AccountId,
  paymentId: PaymentId,
): Promise<void> {
  const state = await readState(ctx.db.kysely, accountId, paymentId)
  if (state === null) return
  const { payment, attempts, at } = state
  if (payment.status !== 'pending' || payment.termination !== null || payment.expiresAt > at) return
  const hasOpenAttempt = attempts.some(({ status }) => isOpen(status))
  await commitChange(ctx, { payment, at, ...terminationChange(payment, 'expired', at, hasOpenAttempt) })
}

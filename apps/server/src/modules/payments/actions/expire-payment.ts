import type { AccountId, PaymentId } from '@muripo/contract/ids'
import type { PaymentsCtx } from '../context.ts'
import { type ChangeSet, commitChange } from '../payment/commit.ts'
import { isOpen } from '../payment/moves.ts'
import { type PaymentState, readState } from '../payment/state.ts'
import { terminationChange } from '../payment/termination.ts'

/** Expires a payment, unless it was completed, cancelled or failed meanwhile. A payment that another change overtakes is left to the next round. */
export async function expirePayment(
  ctx: PaymentsCtx,
  accountId: AccountId,
  paymentId: PaymentId,
): Promise<void> {
  const state = await readState(ctx.db.kysely, accountId, paymentId)
  const set = state && expiry(state)
  if (set) await commitChange(ctx, set)
}

function expiry({ payment, attempts, at }: PaymentState): ChangeSet | null {
  if (payment.status !== 'pending' || payment.termination !== null || payment.expiresAt > at) return null
  const hasOpenAttempt = attempts.some(({ status }) => isOpen(status))
  return { payment, at, ...terminationChange(payment, 'expired', at, hasOpenAttempt) }
}

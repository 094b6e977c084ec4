import type { ClosingReason } from '@muripo/contract/payments'
import type { Tx } from '../../platform/db/database.ts'
import { attemptsOf } from './attempts/store-attempts.ts'
import type { PaymentsCtx } from './context.ts'
import { changeAndTell } from './events.ts'
import { afterMove, isOpen } from './machine.ts'
import type { Closing, LockedPayment, Payment } from './payment.ts'
import { updatePayment } from './store.ts'

/**
 * Lets a locked, pending payment take no more tries, and fails it if none is open. Otherwise whatever ends the open one decides:
 * its success completes the payment, its failure comes back here.
 */
export async function closePayment(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  reason: ClosingReason,
): Promise<Payment> {
  const closing = closingOf(payment, reason)
  const tries = await attemptsOf(tx, payment.merchantId, payment.id)
  if (tries.some(({ status }) => isOpen(status)))
    return updatePayment(tx, payment, { closing }, payment.lockedAt)
  const status = afterMove(payment.status, 'fail')
  return changeAndTell(ctx, tx, payment, { closing, status, statusReason: closing.reason }, 'payment.failed')
}

/** Who cancels says so on purpose: that is not overwritten by the end of the payment's time. */
function closingOf({ closing, expiresAt, lockedAt }: LockedPayment, reason: ClosingReason): Closing {
  if (closing && (closing.reason === 'cancelled' || closing.reason === reason)) return closing
  return { reason, since: reason === 'expired' ? expiresAt : lockedAt }
}

/** Why a payment takes no more attempts, if it does not. */
export const closesFor = (payment: LockedPayment): ClosingReason | null =>
  payment.closing?.reason ?? (payment.expiresAt <= payment.lockedAt ? 'expired' : null)

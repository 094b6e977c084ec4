import type { TerminationReason } from '@muripo/contract/payments'
import type { Tx } from '../../platform/db/database.ts'
import { attemptsOf } from './attempts/store-attempts.ts'
import type { PaymentsCtx } from './context.ts'
import { updateAndEmit } from './events.ts'
import { afterMove, isOpen } from './machine.ts'
import type { LockedPayment, Payment, Termination } from './payment.ts'
import { updatePayment } from './store.ts'

/**
 * Terminates a locked, pending payment: no new attempts are accepted, and the payment fails if none is open. Otherwise the open attempt
 * decides: its success completes the payment, and its failure ends here.
 */
export async function terminatePayment(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  reason: TerminationReason,
): Promise<Payment> {
  const termination = terminationOf(payment, reason)
  const attempts = await attemptsOf(tx, payment.accountId, payment.id)
  if (attempts.some(({ status }) => isOpen(status)))
    return updatePayment(tx, payment, { termination }, payment.lockedAt)
  const status = afterMove(payment.status, 'fail')
  return updateAndEmit(
    ctx,
    tx,
    payment,
    { termination, status, statusReason: termination.reason },
    'payment.failed',
  )
}

/** A cancellation is deliberate, so an expiry does not overwrite it. */
function terminationOf(
  { termination, expiresAt, lockedAt }: LockedPayment,
  reason: TerminationReason,
): Termination {
  if (termination && (termination.reason === 'cancelled' || termination.reason === reason)) return termination
  return { reason, since: reason === 'expired' ? expiresAt : lockedAt }
}

/** The reason why a payment accepts no more attempts; null when it accepts them. */
export const terminationReasonOf = (payment: LockedPayment): TerminationReason | null =>
  payment.termination?.reason ?? (payment.expiresAt <= payment.lockedAt ? 'expired' : null)

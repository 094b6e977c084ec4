import type { TerminationReason } from '@muripo/contract/payments'
import type { Effects } from './effects.ts'
import { afterMove } from './moves.ts'
import type { Payment } from './payment.ts'
import type { Termination } from './tables.ts'

/**
 * Ends a pending payment: it accepts no more attempts, and fails when none is open. Otherwise the end of the open attempt decides: its
 * success completes the payment, and its failure fails it.
 */
export function terminationChange(
  payment: Payment,
  reason: TerminationReason,
  at: Date,
  hasOpenAttempt: boolean,
): Pick<Effects, 'change' | 'events'> {
  const termination = newTermination(payment, reason, at)
  if (hasOpenAttempt) return { change: { termination } }
  const status = afterMove(payment.status, 'fail')
  return {
    change: { termination, status, statusReason: termination.reason },
    events: [{ type: 'payment.failed' }],
  }
}

/**
 * The termination of a payment. A cancellation is deliberate, so an expiry does not overwrite it. A payment that is authorised expires with
 * its authorisation.
 */
export function newTermination(
  { status, termination, expiresAt }: Payment,
  reason: TerminationReason,
  at: Date,
): Termination {
  if (termination && (termination.reason === 'cancelled' || termination.reason === reason)) return termination
  return { reason, since: reason === 'expired' && status === 'pending' ? expiresAt : at }
}

/** The reason that a payment accepts no more attempts; null when it accepts them. */
export const terminationReasonOf = (
  { termination, expiresAt }: Payment,
  at: Date,
): TerminationReason | null => termination?.reason ?? (expiresAt <= at ? 'expired' : null)

import { type Money, toMajor } from '@muripo/contract/money'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { plusMs } from '../../../../platform/clock.ts'
import { AppError } from '../../../../platform/errors.ts'
import { CALL_LEASE_MS } from '../../../providers/index.ts'
import { both, type Effects, nothing } from '../effects.ts'
import type { CaptureInstruction } from '../instruction.ts'
import type { Attempt, Payment } from '../payment.ts'
import type { PaymentState } from '../state.ts'
import type { KeyedRequest } from '../store-idempotency.ts'
import { newTermination } from '../termination.ts'

export interface RequestedInstruction extends Pick<CaptureInstruction, 'kind' | 'amount'> {
  readonly keyed?: KeyedRequest | null
  /** The reason of a void. */
  readonly reason?: 'cancelled' | 'expired'
  /** Named in the audit log. */
  readonly actor?: Actor | null
}

/**
 * The merchant's instruction about an authorised payment, or the end of the authorisation. The provider is called afterwards, by the look-up
 * of the attempt: after a crash the schedule does so. Invariant: of a capture, a void and the end of the authorisation, exactly one is
 * written. The payment's version orders them, and the primary key of the instructions refuses a second one.
 * @throws AppError payment_not_capturable
 */
export function instruct(
  { payment, attempts, at }: PaymentState,
  { kind, amount, keyed = null, reason, actor = null }: RequestedInstruction,
): { readonly effects: Effects; readonly attempt: Attempt } {
  const attempt = attempts.find(({ status }) => status === 'authorized')
  if (payment.status !== 'authorized' || !attempt) throw new AppError('payment_not_capturable')
  const { accountId, id: paymentId } = payment
  const common = { accountId, paymentId, attemptId: attempt.id, createdAt: at, keyed }
  const effects: Effects = {
    change: { statusReason: 'checking', ...(reason && { termination: newTermination(payment, reason, at) }) },
    attempt: { before: attempt, change: { status: 'pending', nextCheckAt: plusMs(at, CALL_LEASE_MS) } },
    instruction:
      kind === 'capture' && amount ? { ...common, kind, amount } : { ...common, kind: 'void', amount: null },
  }
  return { attempt, effects: both(effects, actor ? audited(actor, payment, amount) : nothing) }
}

/** @param amount null for a void */
const audited = (
  actor: Actor,
  { id, accountId, amount: authorised }: Payment,
  amount: Money | null,
): Effects => ({
  audited: [
    {
      actor,
      entry: {
        action: amount ? 'payment.capture_requested' : 'payment.cancelled',
        subject: id,
        accountId,
        ...(amount && { details: { amount: toMajor(amount), currency: authorised.currency } }),
      },
    },
  ],
})

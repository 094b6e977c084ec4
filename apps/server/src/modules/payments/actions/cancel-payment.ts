import type { AccountId, PaymentId } from '@muripo/contract/ids'
import type { Actor } from '../../../platform/audit/actor.ts'
import { AppError } from '../../../platform/errors.ts'
import type { PaymentsCtx } from '../context.ts'
import type { Decided } from '../payment/commit.ts'
import { instruct } from '../payment/decide/instruct.ts'
import { isOpen } from '../payment/moves.ts'
import type { Attempt, Payment } from '../payment/payment.ts'
import type { WholeState } from '../payment/state.ts'
import { findPayment } from '../payment/store-payment.ts'
import { terminationChange } from '../payment/termination.ts'
import { type Confirmation, changeForCaller } from './change-for-caller.ts'
import { checkAttempt } from './check-attempt.ts'

interface Cancelled {
  readonly payment: Payment
  /** The attempt whose authorisation the provider has to void. */
  readonly voided: Attempt['id'] | null
}

/**
 * Cancels the payment. No new attempts are accepted. The payment fails at once, or stays pending while an attempt is open, because that
 * attempt may already have succeeded at the provider: then its end decides. The merchant's cancellation of an authorised payment voids it; the
 * payer cannot cancel it.
 * @param actor null for the payer, who is identified by the payment
 * @throws AppError not_found, payment_not_cancellable
 */
export async function cancelPayment(
  ctx: PaymentsCtx,
  accountId: AccountId,
  paymentId: PaymentId,
  actor: Actor | null = null,
  confirm?: Confirmation['confirm'],
): Promise<Payment> {
  const named = { accountId, paymentId }
  const { payment, voided } = await changeForCaller(ctx, named, { confirm }, (state) => cancel(state, actor))
  if (voided === null) return payment
  await checkAttempt(ctx, accountId, voided, { cause: 'callback' })
  const after = await findPayment(ctx.db.kysely, accountId, paymentId)
  return after ?? payment
}

function cancel(state: WholeState, actor: Actor | null): Decided<Cancelled> {
  const { payment, attempts, instruction, at } = state
  // An attempt that is held for an operator is not voided.
  const isVoidable = instruction ? instruction.kind === 'void' : attempts.some(isAuthorised)
  if (actor && payment.status === 'authorized' && isVoidable) {
    if (instruction) return { effects: null, result: () => ({ payment, voided: instruction.attemptId }) }
    const { effects, attempt } = instruct(state, { kind: 'void', amount: null, reason: 'cancelled', actor })
    return { effects, result: () => ({ payment, voided: attempt.id }) }
  }
  if (payment.status !== 'pending') throw new AppError('payment_not_cancellable')
  const hasOpenAttempt = attempts.some(({ status }) => isOpen(status))
  const entry = { action: 'payment.cancelled', subject: payment.id, accountId: payment.accountId } as const
  const effects = {
    ...terminationChange(payment, 'cancelled', at, hasOpenAttempt),
    ...(actor && { audited: [{ actor, entry }] }),
  }
  return { effects, result: (after) => ({ payment: after, voided: null }) }
}

const isAuthorised = ({ status }: Attempt): boolean => status === 'authorized'

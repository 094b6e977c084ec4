import type { AccountId, PaymentId } from '@muripo/contract/ids'
import type { Actor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { checkAttempt } from '../attempts/actions/check-attempt.ts'
import { auditInstruction, recordInstruction } from '../captures/actions/record-instruction.ts'
import type { PaymentsCtx } from '../context.ts'
import { applyChange } from '../payment/commit.ts'
import { isOpen } from '../payment/moves.ts'
import type { Attempt, Payment } from '../payment/payment.ts'
import { lockState } from '../payment/state.ts'
import { findPayment } from '../payment/store-payment.ts'
import { terminationChange } from '../payment/termination.ts'

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
): Promise<Payment> {
  const { cancelled, voided } = await ctx.db.tx(async (tx) => {
    const state = await lockState(tx, accountId, paymentId)
    if (state === null) throw new AppError('not_found')
    const { payment, attempts, instruction, at } = state
    // An attempt that is held for an operator is not voided.
    const isVoidable = instruction ? instruction.kind === 'void' : attempts.some(isAuthorised)
    if (actor && payment.status === 'authorized' && isVoidable) {
      if (instruction) return { cancelled: payment, voided: instruction.attemptId }
      const { id } = await recordInstruction(ctx, tx, state, { kind: 'void', amount: null }, 'cancelled')
      await auditInstruction(ctx, tx, actor, payment, null)
      return { cancelled: payment, voided: id }
    }
    if (payment.status !== 'pending') throw new AppError('payment_not_cancellable')
    const hasOpenAttempt = attempts.some(({ status }) => isOpen(status))
    const cancelled = await applyChange(ctx, tx, {
      payment,
      at,
      ...terminationChange(payment, 'cancelled', at, hasOpenAttempt),
    })
    if (actor) await audit(ctx, tx, actor, { action: 'payment.cancelled', subject: paymentId, accountId })
    return { cancelled, voided: null }
  })
  if (voided === null) return cancelled
  await checkAttempt(ctx, accountId, voided, { cause: 'callback' })
  const after = await findPayment(ctx.db.kysely, accountId, paymentId)
  return after ?? cancelled
}

const isAuthorised = ({ status }: Attempt): boolean => status === 'authorized'

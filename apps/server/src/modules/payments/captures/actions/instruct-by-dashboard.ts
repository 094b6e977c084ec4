import type { AccountId, PaymentId } from '@muripo/contract/ids'
import type { Money } from '@muripo/contract/money'
import type { Actor } from '../../../../platform/audit/actor.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { AppError, invariant } from '../../../../platform/errors.ts'
import { checkAttempt } from '../../attempts/actions/check-attempt.ts'
import type { PaymentsCtx } from '../../context.ts'
import type { Payment } from '../../payment.ts'
import { lockState } from '../../payment-state.ts'
import { findPayment } from '../../store.ts'
import {
  auditInstruction,
  captureAmount,
  commitInstruction,
  recordInstruction,
} from './record-instruction.ts'

/** A capture in major units, or a void. */
type Requested = { readonly amount: number; readonly currency: Money['currency'] } | 'void'

/**
 * Captures or voids an authorised payment for a user of the dashboard. The same request again joins the first one.
 * @returns the payment as it stands, and whether the provider has carried the instruction out
 * @throws AppError not_found, payment_not_capturable, capture_mismatch, capture_declined
 */
export async function instructPayment(
  ctx: PaymentsCtx,
  actor: Actor,
  accountId: AccountId,
  paymentId: PaymentId,
  requested: Requested,
  confirm: (tx: Tx) => Promise<void>,
): Promise<{ payment: Payment; isDone: boolean }> {
  const { attemptId } = await commitInstruction(ctx, { accountId, paymentId }, async (tx) => {
    const state = await lockState(tx, accountId, paymentId)
    await confirm(tx)
    if (state === null) throw new AppError('not_found')
    const { payment, instruction } = state
    const amount = requested === 'void' ? null : captureAmount(payment, requested.amount, requested.currency)
    if (instruction && instruction.amount?.minor === amount?.minor) return instruction
    const kind = amount ? 'capture' : 'void'
    const attempt = await recordInstruction(ctx, tx, state, { kind, amount }, amount ? null : 'cancelled')
    await auditInstruction(ctx, tx, actor, payment, amount)
    return { attemptId: attempt.id, amount }
  })
  await checkAttempt(ctx, accountId, attemptId, { cause: 'callback' })
  const payment = await findPayment(ctx.db.kysely, accountId, paymentId)
  invariant(payment, 'a payment is never deleted')
  if (requested !== 'void' && payment.status === 'failed') throw new AppError('capture_declined')
  return { payment, isDone: payment.status !== 'authorized' }
}

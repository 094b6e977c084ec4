import { PaymentId } from '@muripo/contract/ids'
import type { CapturePayment } from '@muripo/contract/payments'
import { AppError, invariant } from '../../../../platform/errors.ts'
import { confirmKey, type KeyOwner } from '../../../applications/index.ts'
import { checkAttempt } from '../../attempts/actions/check-attempt.ts'
import type { PaymentsCtx } from '../../context.ts'
import {
  executeIdempotent,
  type IdempotentResponse,
  keyedRequest,
  type WriteRequest,
} from '../../idempotency.ts'
import { lockState } from '../../payment-state.ts'
import { findPayment } from '../../store.ts'
import { toPublic } from '../../wire.ts'
import {
  auditInstruction,
  captureAmount,
  commitInstruction,
  recordInstruction,
} from './record-instruction.ts'

/**
 * Captures an authorised payment, in full or in part, for a merchant's server. The response has the provider's first reply: a capture whose
 * outcome is not known leaves the payment authorised, and is looked up. Under an Idempotency-Key the same request has the same response.
 * @throws AppError not_found, payment_not_capturable, capture_mismatch, idempotency_mismatch, idempotency_in_flight, and the refusals of a
 * key that may not write
 */
export async function capturePayment(
  ctx: PaymentsCtx,
  caller: KeyOwner,
  paymentId: PaymentId,
  input: CapturePayment,
  { idempotencyKey, sent = input, actor }: WriteRequest = {},
): Promise<IdempotentResponse> {
  const keyed = keyedRequest(caller, idempotencyKey, { payment: paymentId, sent })
  return executeIdempotent(ctx, caller, keyed, {
    table: 'capture_instructions',
    kind: PaymentId,
    execute: async (refuseKnown) => {
      const { attemptId } = await commitInstruction(ctx, { ...caller, paymentId }, async (tx) => {
        const state = await lockState(tx, caller.accountId, paymentId)
        // The key may have been replaced while this transaction waited for the lock of the payment.
        await confirmKey(tx, caller)
        if (state?.payment.applicationId !== caller.applicationId) throw new AppError('not_found')
        await refuseKnown(tx)
        const amount = captureAmount(state.payment, input.amount)
        const capture = { kind: 'capture', amount, keyed } as const
        const { id: attemptId } = await recordInstruction(ctx, tx, state, capture)
        if (actor) await auditInstruction(ctx, tx, actor, state.payment, amount)
        return { attemptId, amount }
      })
      await checkAttempt(ctx, caller.accountId, attemptId, { cause: 'callback' })
      return { id: paymentId }
    },
    respond: async (id) => {
      const payment = await findPayment(ctx.db.kysely, caller.accountId, id)
      invariant(payment, 'a payment is never deleted')
      return JSON.stringify(toPublic(ctx, payment))
    },
  })
}

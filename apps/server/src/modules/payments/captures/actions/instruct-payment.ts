import { type AccountId, PaymentId } from '@muripo/contract/ids'
import type { Money } from '@muripo/contract/money'
import type { CapturePayment } from '@muripo/contract/payments'
import type { Actor } from '../../../../platform/audit/actor.ts'
import type { Tx } from '../../../../platform/db/database.ts'
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
import type { CaptureInstruction } from '../../payment/instruction.ts'
import type { Payment } from '../../payment/payment.ts'
import { type LockedState, lockState } from '../../payment/state.ts'
import { findPayment } from '../../payment/store-payment.ts'
import { toPublic } from '../../payment/wire.ts'
import {
  auditInstruction,
  captureAmount,
  commitInstruction,
  type RequestedInstruction,
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
  const { accountId } = caller
  const keyed = keyedRequest(caller, idempotencyKey, { payment: paymentId, sent })
  return executeIdempotent(ctx, caller, keyed, {
    table: 'capture_instructions',
    kind: PaymentId,
    execute: async (refuseKnown) => {
      await instruct(ctx, {
        accountId,
        paymentId,
        actor,
        // The key may have been replaced while this transaction waited for the lock of the payment.
        confirm: (tx) => confirmKey(tx, caller),
        async choose(tx, { payment }) {
          if (payment.applicationId !== caller.applicationId) throw new AppError('not_found')
          await refuseKnown(tx)
          return { kind: 'capture', amount: captureAmount(payment, input.amount), keyed }
        },
      })
      return { id: paymentId }
    },
    respond: async (id) => JSON.stringify(toPublic(ctx, await instructed(ctx, accountId, id))),
    unstored: ['customer', 'payment_url'],
  })
}

interface DashboardInstruction {
  readonly actor: Actor
  readonly accountId: AccountId
  readonly paymentId: PaymentId
  /** A capture in major units, or a void. */
  readonly requested: { readonly amount: number; readonly currency: Money['currency'] } | 'void'
  /** Confirms the caller behind the payment's lock. */
  readonly confirm: (tx: Tx) => Promise<void>
}

/**
 * Captures or voids an authorised payment for a user of the dashboard. The same request again joins the first one.
 * @returns the payment as it stands, and whether the provider has carried the instruction out
 * @throws AppError not_found, payment_not_capturable, capture_mismatch, capture_declined
 */
export async function instructPayment(
  ctx: PaymentsCtx,
  { actor, accountId, paymentId, requested, confirm }: DashboardInstruction,
): Promise<{ payment: Payment; isDone: boolean }> {
  await instruct(ctx, {
    accountId,
    paymentId,
    actor,
    confirm,
    async choose(_tx, { payment, instruction }) {
      const amount =
        requested === 'void' ? null : captureAmount(payment, requested.amount, requested.currency)
      if (instruction && instruction.amount?.minor === amount?.minor) return instruction
      return { kind: amount ? 'capture' : 'void', amount }
    },
  })
  const payment = await instructed(ctx, accountId, paymentId)
  if (requested !== 'void' && payment.status === 'failed') throw new AppError('capture_declined')
  return { payment, isDone: payment.status !== 'authorized' }
}

async function instructed(ctx: PaymentsCtx, accountId: AccountId, paymentId: PaymentId): Promise<Payment> {
  const payment = await findPayment(ctx.db.kysely, accountId, paymentId)
  invariant(payment, 'a payment is never deleted')
  return payment
}

interface Request {
  readonly accountId: AccountId
  readonly paymentId: PaymentId
  readonly actor: Actor | undefined
  /** Confirms the caller behind the payment's lock. */
  readonly confirm: (tx: Tx) => Promise<void>
  /** Returns the instruction to record, or the earlier one that the request repeats. Runs again when the transaction is retried. */
  readonly choose: (tx: Tx, state: LockedState) => Promise<RequestedInstruction | CaptureInstruction>
}

/** Commits the instruction and calls the provider, which carries it out. */
async function instruct(
  ctx: PaymentsCtx,
  { accountId, paymentId, actor, confirm, choose }: Request,
): Promise<void> {
  const { attemptId } = await commitInstruction(ctx, { accountId, paymentId }, async (tx) => {
    const state = await lockState(tx, accountId, paymentId)
    await confirm(tx)
    if (state === null) throw new AppError('not_found')
    const chosen = await choose(tx, state)
    if ('attemptId' in chosen) return chosen
    const { kind, amount } = chosen
    const { id } = await recordInstruction(ctx, tx, state, chosen, kind === 'void' ? 'cancelled' : null)
    if (actor) await auditInstruction(ctx, tx, actor, state.payment, amount)
    return { attemptId: id, amount }
  })
  await checkAttempt(ctx, accountId, attemptId, { cause: 'callback' })
}

import { type AccountId, PaymentId } from '@muripo/contract/ids'
import type { Currency, Money } from '@muripo/contract/money'
import type { CapturePayment } from '@muripo/contract/payments'
import type { Actor } from '../../../platform/audit/actor.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { AppError, invariant } from '../../../platform/errors.ts'
import type { KeyOwner } from '../../applications/index.ts'
import type { PaymentsCtx } from '../context.ts'
import {
  executeIdempotent,
  type IdempotentResponse,
  keyedRequest,
  type WriteRequest,
} from '../idempotency.ts'
import type { Decided } from '../payment/commit.ts'
import { instruct, type RequestedInstruction } from '../payment/decide/instruct.ts'
import type { CaptureInstruction } from '../payment/instruction.ts'
import { type Payment, requestedAmount } from '../payment/payment.ts'
import { readState, type WholeState } from '../payment/state.ts'
import { findPayment } from '../payment/store-payment.ts'
import { toPublic } from '../payment/wire.ts'
import { resolvingCommit } from '../provider-calls/call-provider.ts'
import { type Confirmation, changeForCaller } from './change-for-caller.ts'
import { checkAttempt } from './check-attempt.ts'

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
    execute: async () => {
      await giveInstruction(ctx, {
        accountId,
        paymentId,
        actor,
        caller,
        choose({ payment }) {
          if (payment.applicationId !== caller.applicationId) throw new AppError('not_found')
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
  /** Confirms the caller in the transaction that writes. */
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
  await giveInstruction(ctx, {
    accountId,
    paymentId,
    actor,
    confirm,
    choose({ payment, instruction }) {
      const amount =
        requested === 'void' ? null : captureAmount(payment, requested.amount, requested.currency)
      if (instruction && instruction.amount?.minor === amount?.minor) return instruction
      return amount ? { kind: 'capture', amount } : { kind: 'void', amount, reason: 'cancelled' }
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

interface Request extends Confirmation {
  readonly accountId: AccountId
  readonly paymentId: PaymentId
  readonly actor: Actor | undefined
  /** Returns the instruction to record, or the earlier one that the request repeats. Runs again when the payment has changed. */
  readonly choose: (state: WholeState) => RequestedInstruction | CaptureInstruction
}

type Recorded = Pick<CaptureInstruction, 'attemptId' | 'amount'>

/**
 * Commits the instruction and calls the provider, which carries it out. The instruction is read back when the database does not confirm the
 * commit: a payment has one instruction.
 */
async function giveInstruction(ctx: PaymentsCtx, request: Request): Promise<void> {
  const { accountId, paymentId, actor = null, choose } = request
  let recorded: Recorded | null = null
  const record = () =>
    changeForCaller(ctx, request, request, (state): Decided<Recorded> => {
      const chosen = choose(state)
      if ('attemptId' in chosen) return { effects: null, result: () => chosen }
      const { effects, attempt } = instruct(state, { ...chosen, actor })
      recorded = { attemptId: attempt.id, amount: chosen.amount }
      return { effects, result: () => ({ attemptId: attempt.id, amount: chosen.amount }) }
    })
  const find = async (): Promise<Recorded | null> => {
    const state = await readState(ctx.db.kysely, accountId, paymentId)
    const found = state?.instruction ?? null
    return recorded && found?.amount?.minor === recorded.amount?.minor ? found : null
  }
  const { attemptId } = await resolvingCommit(ctx, request, record, find)
  await checkAttempt(ctx, accountId, attemptId, { cause: 'callback' })
}

/**
 * The amount of a capture: all that is authorised, or the amount that a client sent in major units.
 * @throws AppError capture_mismatch
 */
function captureAmount({ amount }: Payment, major?: number, currency?: Currency): Money {
  if (major === undefined) return amount
  const captured = requestedAmount(amount, major, currency)
  if (captured === null || captured.minor <= 0n) throw new AppError('capture_mismatch')
  return captured
}

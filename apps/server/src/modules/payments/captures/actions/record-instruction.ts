import { type Currency, type Money, toMajor } from '@muripo/contract/money'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import { plusMs } from '../../../../platform/clock.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { violatedConstraint } from '../../../../platform/db/failures.ts'
import { AppError } from '../../../../platform/errors.ts'
import type { PaymentsCtx } from '../../context.ts'
import { applyChange } from '../../payment/commit.ts'
import type { CaptureInstruction } from '../../payment/instruction.ts'
import { type Attempt, type Payment, requestedAmount } from '../../payment/payment.ts'
import { type LockedState, lockState, type PaymentState } from '../../payment/state.ts'
import type { KeyedRequest } from '../../payment/store-idempotency.ts'
import { instructionOf } from '../../payment/store-instructions.ts'
import { newTermination } from '../../payment/termination.ts'
import { resolvingCommit, SENDING_LEASE_MS } from '../../provider-calls/call-provider.ts'

export type RequestedInstruction = Pick<CaptureInstruction, 'kind' | 'amount'> & {
  readonly keyed?: KeyedRequest | null
}

/**
 * Writes the instruction about a locked, authorised payment. The provider is called afterwards, by the look-up of the attempt: after a crash
 * the schedule does so. Invariant: of a capture, a void and the end of the authorisation, exactly one is written. The payment's lock orders
 * them, and the primary key of the instructions refuses a second one.
 * @returns the attempt to look up
 * @throws AppError payment_not_capturable
 */
export async function recordInstruction(
  ctx: PaymentsCtx,
  tx: Tx,
  { payment, attempts, at }: LockedState,
  { kind, amount, keyed = null }: RequestedInstruction,
  reason: 'cancelled' | 'expired' | null = null,
): Promise<Attempt> {
  const attempt = attempts.find(({ status }) => status === 'authorized')
  if (payment.status !== 'authorized' || !attempt) throw new AppError('payment_not_capturable')
  const { accountId, id: paymentId } = payment
  const common = { accountId, paymentId, attemptId: attempt.id, createdAt: at, keyed }
  await applyChange(ctx, tx, {
    payment,
    at,
    change: { statusReason: 'checking', ...(reason && { termination: newTermination(payment, reason, at) }) },
    attempt: {
      before: attempt,
      change: { status: 'pending', nextCheckAt: plusMs(at, SENDING_LEASE_MS) },
    },
    instruction:
      kind === 'capture' && amount ? { ...common, kind, amount } : { ...common, kind: 'void', amount: null },
  }).catch((error: unknown) => {
    if (violatedConstraint(error) === 'capture_instructions_pkey')
      throw new AppError('payment_not_capturable')
    throw error
  })
  return attempt
}

type Recorded = Pick<CaptureInstruction, 'attemptId' | 'amount'>

/** Commits an instruction. It is read back when the database does not confirm the commit: a payment has one instruction. */
export function commitInstruction(
  ctx: PaymentsCtx,
  payment: Pick<CaptureInstruction, 'accountId' | 'paymentId'>,
  record: (tx: Tx) => Promise<Recorded>,
): Promise<Recorded> {
  let recorded: Recorded | null = null
  const open = async (tx: Tx) => {
    recorded = await record(tx)
    return recorded
  }
  const { accountId, paymentId: id } = payment
  return resolvingCommit(
    ctx,
    payment,
    () => ctx.db.tx(open),
    async (tx) => {
      const found = await instructionOf(tx, { captureMode: 'manual', accountId, id })
      return recorded && found?.amount?.minor === recorded.amount?.minor ? found : null
    },
  )
}

/**
 * The amount of a capture: all that is authorised, or the amount that a client sent in major units.
 * @throws AppError capture_mismatch
 */
export function captureAmount({ amount }: Payment, major?: number, currency?: Currency): Money {
  if (major === undefined) return amount
  const captured = requestedAmount(amount, major, currency)
  if (captured === null || captured.minor <= 0n) throw new AppError('capture_mismatch')
  return captured
}

/** @param amount null for a void */
export const auditInstruction = (
  ctx: PaymentsCtx,
  tx: Tx,
  actor: Actor,
  { id, accountId, amount: authorised }: Payment,
  amount: Money | null,
): Promise<void> =>
  audit(ctx, tx, actor, {
    action: amount ? 'payment.capture_requested' : 'payment.cancelled',
    subject: id,
    accountId,
    ...(amount && { details: { amount: toMajor(amount), currency: authorised.currency } }),
  })

/** Whether the period of an authorisation without an instruction has ended. */
export const isAuthorisationOver = ({ payment: { captureBefore }, at }: PaymentState, { status }: Attempt) =>
  status === 'authorized' && captureBefore !== null && captureBefore <= at

/** Voids an authorisation at its end, unless the merchant has given an instruction meanwhile. A cancellation stays the reason. */
export const endAuthorisation = (ctx: PaymentsCtx, { accountId, id }: Payment): Promise<void> =>
  ctx.db.tx(async (tx) => {
    const state = await lockState(tx, accountId, id)
    const attempt = state?.attempts.find((each) => isAuthorisationOver(state, each))
    if (state && attempt) await recordInstruction(ctx, tx, state, { kind: 'void', amount: null }, 'expired')
  })

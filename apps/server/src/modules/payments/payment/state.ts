import type { AccountId, AttemptId, PaymentId } from '@muripo/contract/ids'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { invariant } from '../../../platform/errors.ts'
import type { PaymentsCtx } from '../context.ts'
import { applyChange, type ChangeSet, commitChange } from './commit.ts'
import type { CaptureInstruction } from './instruction.ts'
import type { Attempt, LockedPayment, Payment } from './payment.ts'
import { attemptsOf } from './store-attempts.ts'
import { instructionOf } from './store-instructions.ts'
import { lockPayment, readPayment, readPaymentOf } from './store-payment.ts'

/** A payment and all its attempts, the latest first, as they were at one time by the database's clock. */
export interface PaymentState {
  readonly payment: Payment
  readonly attempts: readonly Attempt[]
  /** The instruction about the payment's authorisation, if there is one. */
  readonly instruction: CaptureInstruction | null
  readonly at: Date
}

export interface LockedState extends PaymentState {
  readonly payment: LockedPayment
}

/**
 * Reads a payment before its attempts: an attempt that ends in between has raised the payment's version, and a change that is decided from
 * the two readings is refused.
 */
export async function readState(
  db: Queryable,
  accountId: AccountId,
  id: PaymentId,
): Promise<PaymentState | null> {
  const reading = await readPayment(db, accountId, id)
  if (reading === null) return null
  // An attempt is opened in a change of its payment.
  if (reading.payment.version === 0) return { ...reading, attempts: [], instruction: null }
  return withCalls(db, reading)
}

/** Adds the attempts and the instruction, which are read after the payment. */
async function withCalls<Of extends Pick<PaymentState, 'payment' | 'at'>>(
  db: Queryable,
  reading: Of,
): Promise<Of & PaymentState> {
  const { accountId, id } = reading.payment
  const attempts = await attemptsOf(db, accountId, id)
  return { ...reading, attempts, instruction: await instructionOf(db, reading.payment) }
}

/** The state of the payment of an attempt, in the same order. */
export async function readStateOf(
  db: Queryable,
  accountId: AccountId,
  attemptId: AttemptId,
): Promise<PaymentState | null> {
  const reading = await readPaymentOf(db, accountId, attemptId)
  return reading && withCalls(db, reading)
}

/** Locks a payment for the rest of the transaction, and reads its attempts behind the lock. */
export async function lockState(tx: Tx, accountId: AccountId, id: PaymentId): Promise<LockedState | null> {
  const payment = await lockPayment(tx, accountId, id)
  return payment && withCalls(tx, { payment, at: payment.lockedAt })
}

/** A change of a payment, and what it results in. */
export interface Decided<Result> {
  readonly set: ChangeSet
  readonly result: (after: Payment) => Result
}

/**
 * Decides a change from a state that is not locked, and writes it. When the payment has changed since, or when this process's clock is
 * wrong, the change is decided again behind the payment's lock.
 * @param state as it was read last
 * @param decide it may run twice, and what it throws is thrown
 * @throws OutcomeUnknownError
 */
export async function changePayment<Result>(
  ctx: PaymentsCtx,
  state: PaymentState,
  decide: (state: PaymentState) => Decided<Result>,
): Promise<Result> {
  const { set, result } = decide(state)
  const after = await commitChange(ctx, set)
  if (after !== null) return result(after)
  const { accountId, id } = state.payment
  return ctx.db.tx(async (tx) => {
    const locked = await lockState(tx, accountId, id)
    invariant(locked, 'a payment is never deleted')
    const again = decide(locked)
    return again.result(await applyChange(ctx, tx, again.set))
  })
}

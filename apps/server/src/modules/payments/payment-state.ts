import type { AccountId, AttemptId, PaymentId } from '@muripo/contract/ids'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import { invariant } from '../../platform/errors.ts'
import { attemptsOf } from './attempts/store-attempts.ts'
import type { PaymentsCtx } from './context.ts'
import type { Attempt, LockedPayment, Payment } from './payment.ts'
import { lockPayment, readPayment, readPaymentOf } from './store.ts'
import { applyChange, type ChangeSet, commitChange } from './store-change-set.ts'

/** A payment and all its attempts, the latest first, as they were at one time by the database's clock. */
export interface PaymentState {
  readonly payment: Payment
  readonly attempts: readonly Attempt[]
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
  const isUnchanged = reading.payment.version === 0
  return { ...reading, attempts: isUnchanged ? [] : await attemptsOf(db, accountId, id) }
}

/** The state of the payment of an attempt, in the same order. */
export async function readStateOf(
  db: Queryable,
  accountId: AccountId,
  attemptId: AttemptId,
): Promise<PaymentState | null> {
  const reading = await readPaymentOf(db, accountId, attemptId)
  return reading && { ...reading, attempts: await attemptsOf(db, accountId, reading.payment.id) }
}

/** Locks a payment for the rest of the transaction, and reads its attempts behind the lock. */
export async function lockState(tx: Tx, accountId: AccountId, id: PaymentId): Promise<LockedState | null> {
  const payment = await lockPayment(tx, accountId, id)
  return payment && { payment, attempts: await attemptsOf(tx, accountId, id), at: payment.lockedAt }
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

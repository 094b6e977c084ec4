import type { AttemptId, RefundId } from '@muripo/contract/ids'
import { type Money, money, toDecimal } from '@muripo/contract/money'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { uuidOf } from '../../../../platform/ids.ts'
import { clearing, differenceFor, newAdjustment, toSuspense } from '../../../ledger/index.ts'
import type { PaymentCtx } from '../context.ts'
import { type Effects, nothing } from '../effects.ts'
import { type Attempt, paidAmountOf, type Refund } from '../payment.ts'
import type { WholeState } from '../state.ts'

type Booked = Pick<WholeState, 'payment' | 'differences'>

/** The charged amount as booked: the captured amount, and the differences that operators have booked for the charge. */
export function bookedAmount({ payment, differences }: Booked, attempt: Attempt): Money {
  // Only the completed attempt may have been captured in part; a duplicate was not.
  const { minor, currency } = attempt.status === 'completed' ? paidAmountOf(payment) : attempt.amount
  return money(minor + differenceFor(differences, uuidOf(attempt.id), clearing(attempt.provider)), currency)
}

/** The amount that the provider has refunded, as booked, with the differences that operators have booked for the refund. */
export function bookedRefund({ differences }: Booked, { id, amount }: Refund, provider: string): Money {
  return money(amount.minor - differenceFor(differences, uuidOf(id), clearing(provider)), amount.currency)
}

/** An amount that differs from the requested one, and an operator's reason. */
export interface Moved {
  readonly amount: Money
  readonly reason: string
}

/** A charge or a refund, and the amount at its provider that is not booked. */
interface Difference {
  readonly call: { readonly id: AttemptId | RefundId }
  readonly provider: string
  /** Negative when the provider has less. */
  readonly difference: Money
  readonly actor: Pick<Actor, 'kind' | 'name'>
  readonly reason: string
}

/** Books the difference between the provider's amount and the booked amount of a payment on suspense. */
export function bookDifference(
  ctx: Pick<PaymentCtx, 'ids' | 'clock'>,
  { payment }: Pick<WholeState, 'payment'>,
  { call, provider, difference, actor, reason }: Difference,
): Effects {
  const transfer = toSuspense(clearing(provider), difference)
  if (transfer === null) return nothing
  const cause = { paymentId: payment.id, causeId: uuidOf(call.id), actor, reason }
  return { adjustments: [newAdjustment(ctx, payment.accountId, { ...transfer, ...cause })] }
}

const gateway = { kind: 'system', name: 'gateway' } as const

/** Reverses an operator's booking of a moved amount for a failed attempt, before another outcome of the attempt is booked. */
export function unbookMoved(
  ctx: Pick<PaymentCtx, 'ids' | 'clock'>,
  state: Pick<WholeState, 'payment'>,
  attempt: Attempt,
): Effects {
  if (attempt.moved === null) return nothing
  const { minor, currency } = attempt.moved
  return {
    attempt: { before: attempt, change: { moved: null } },
    ...bookDifference(ctx, state, {
      call: attempt,
      provider: attempt.provider,
      difference: money(-minor, currency),
      actor: gateway,
      reason: 'The attempt is decided anew',
    }),
  }
}

/** An amount in another currency, or none, is stated in words alone. */
export function differenceOf({
  amount,
  booked,
  providerStatus,
}: {
  readonly amount: Money | null
  readonly booked: Money
  readonly providerStatus: string
}): { readonly amount: Money | null; readonly providerStatus: string } {
  if (amount === null || (amount.currency === booked.currency && amount.minor > 0n))
    return { amount, providerStatus }
  return { amount: null, providerStatus: `${providerStatus}: ${amount.currency} ${toDecimal(amount)}` }
}

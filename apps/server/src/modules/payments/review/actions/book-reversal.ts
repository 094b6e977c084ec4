import { AnomalyId } from '@muripo/contract/ids'
import { add, type Money, money, subtract, toMajor } from '@muripo/contract/money'
import type { Tx } from '../../../../platform/db/database.ts'
import { uuidOf } from '../../../../platform/ids.ts'
import { clearing } from '../../../ledger/index.ts'
import type { PaymentsCtx } from '../../context.ts'
import { applyChange, type ChangeSet } from '../../payment/commit.ts'
import { type Attempt, type LockedPayment, remainingOf } from '../../payment/payment.ts'
import {
  type Anomaly,
  anomaliesOf,
  bookedOf,
  heldByRefunds,
  insertReturn,
} from '../../payment/store-anomalies.ts'

/** A locked payment, and the charge of it that the provider reversed. */
interface Reversed {
  readonly payment: LockedPayment
  readonly attempt: Attempt
}

/** The amount that operators have booked as reversed, less the amount that was returned. */
async function bookedFor(tx: Tx, { payment, attempt }: Reversed): Promise<Money> {
  const anomalies = await anomaliesOf(tx, payment.accountId, payment.id)
  return money(bookedOf(anomalies, attempt.id, null), payment.amount.currency)
}

/**
 * The amount that may still be booked as reversed: the charge less its refunds, completed and open, and less the booked amount. A refund that
 * completes later leaves the provider's account too.
 */
async function mostReversible(tx: Tx, { payment, attempt }: Reversed, booked: Money): Promise<bigint> {
  if (attempt.status === 'completed') return remainingOf({ ...payment, reversed: booked }).minor
  return attempt.amount.minor - booked.minor - (await heldByRefunds(tx, payment.accountId, attempt.id))
}

/**
 * Books the amount that a provider has taken back from a charge: of the merchant's money, or for a duplicate charge of nobody's, because that
 * money was the payer's.
 * @returns false when the charge, its refunds and its bookings leave less; nothing has changed then
 */
export async function bookReversal(
  ctx: PaymentsCtx,
  tx: Tx,
  reversed: Reversed,
  anomaly: Pick<Anomaly, 'id'>,
  amount: Money,
): Promise<boolean> {
  const booked = await bookedFor(tx, reversed)
  if (amount.minor <= 0n || amount.minor > (await mostReversible(tx, reversed, booked))) return false
  const { payment, attempt } = reversed
  await applyChange(ctx, tx, {
    payment,
    at: payment.lockedAt,
    transfers: [
      {
        kind: 'reversal',
        debit: ownerOf(attempt),
        credit: clearing(attempt.provider),
        amount,
        paymentId: payment.id,
        causeId: uuidOf(anomaly.id),
      },
    ],
    ...reported('payment.reversal_booked', reversed, amount, add(booked, amount)),
  })
  return true
}

/**
 * Books an amount that the provider returned after an operator had booked it as reversed, such as a won dispute.
 * @returns the id of its row; null when the booked amount is less, and nothing has changed
 */
export async function bookReturn(
  ctx: PaymentsCtx,
  tx: Tx,
  reversed: Reversed,
  amount: Money,
  reason: string,
): Promise<AnomalyId | null> {
  const { payment, attempt } = reversed
  const booked = await bookedFor(tx, reversed)
  if (amount.minor <= 0n || amount.minor > booked.minor) return null
  const id = ctx.ids.next(AnomalyId)
  await insertReturn(tx, {
    accountId: payment.accountId,
    id,
    paymentId: payment.id,
    attemptId: attempt.id,
    amount,
    providerStatus: `reported by an operator: ${reason}`,
    at: payment.lockedAt,
  })
  await applyChange(ctx, tx, {
    payment,
    at: payment.lockedAt,
    transfers: [
      {
        kind: 'reversal_undone',
        debit: clearing(attempt.provider),
        credit: ownerOf(attempt),
        amount,
        paymentId: payment.id,
        causeId: uuidOf(id),
      },
    ],
    ...reported('payment.reversal_undone', reversed, amount, subtract(booked, amount)),
  })
  return id
}

/** Emits that an operator has found no reversal, when the merchant was told of one. */
export const dismissReversal = (ctx: PaymentsCtx, tx: Tx, payment: LockedPayment, amount: Money | null) =>
  applyChange(ctx, tx, {
    payment,
    at: payment.lockedAt,
    event: {
      type: 'payment.reversal_dismissed',
      besides: { reversal: { amount: amount && toMajor(amount) } },
    },
  })

const ownerOf = ({ status }: Pick<Attempt, 'status'>) =>
  status === 'duplicate' ? 'suspense' : 'merchant.payable'

/** The change of a payment that its merchant sees, and its event. A duplicate charge is no part of the payment. */
function reported(
  type: 'payment.reversal_booked' | 'payment.reversal_undone',
  { attempt }: Reversed,
  amount: Money,
  after: Money,
): Pick<ChangeSet, 'change' | 'event'> {
  if (attempt.status !== 'completed') return {}
  return {
    change: { reversed: after },
    event: { type, besides: { reversal: { amount: toMajor(amount) } } },
  }
}

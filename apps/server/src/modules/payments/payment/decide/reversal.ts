import { AnomalyId } from '@muripo/contract/ids'
import { add, type Money, money, subtract, toMajor } from '@muripo/contract/money'
import { uuidOf } from '../../../../platform/ids.ts'
import { clearing, type Transfer } from '../../../ledger/index.ts'
import type { PaymentCtx } from '../context.ts'
import type { Effects } from '../effects.ts'
import { type Attempt, remainingOf } from '../payment.ts'
import type { Anomaly, WholeState } from '../state.ts'
import { bookedOf } from '../store-anomalies.ts'

/** The amount that operators have booked as reversed, less the amount that was returned. */
const bookedFor = ({ payment, anomalies }: WholeState, attempt: Attempt): Money =>
  money(bookedOf(anomalies, attempt.id, null), payment.amount.currency)

/**
 * The amount that may still be booked as reversed: the charge less its refunds, completed and open, and less the booked amount. A refund that
 * completes later leaves the provider's account too.
 */
function mostReversible({ payment, refunds }: WholeState, attempt: Attempt, booked: Money): bigint {
  if (attempt.status === 'completed') return remainingOf({ ...payment, reversed: booked }).minor
  return refunds
    .filter(({ attemptId, status }) => attemptId === attempt.id && status !== 'failed')
    .reduce((rest, { amount }) => rest - amount.minor, attempt.amount.minor - booked.minor)
}

/**
 * Books the amount that a provider has taken back from a charge: of the merchant's money, or for a duplicate charge of nobody's, because that
 * money was the payer's.
 * @returns null when the charge, its refunds and its bookings leave less
 */
export function bookReversal(
  state: WholeState,
  attempt: Attempt,
  anomaly: Pick<Anomaly, 'id'>,
  amount: Money,
): Effects | null {
  const booked = bookedFor(state, attempt)
  if (amount.minor <= 0n || amount.minor > mostReversible(state, attempt, booked)) return null
  const cause = { paymentId: state.payment.id, causeId: uuidOf(anomaly.id) }
  const between = { debit: ownerOf(attempt), credit: clearing(attempt.provider) }
  return {
    transfers: [{ kind: 'reversal', ...between, amount, ...cause }],
    ...reported('payment.reversal_booked', attempt, amount, add(booked, amount)),
  }
}

/**
 * Books an amount that the provider returned after an operator had booked it as reversed, such as a won dispute.
 * @returns null when the booked amount is less
 */
export function bookReturn(
  ctx: Pick<PaymentCtx, 'ids'>,
  state: WholeState,
  attempt: Attempt,
  amount: Money,
  reason: string,
): Effects | null {
  const { payment, at } = state
  const booked = bookedFor(state, attempt)
  if (amount.minor <= 0n || amount.minor > booked.minor) return null
  const id = ctx.ids.next(AnomalyId)
  const between = { debit: clearing(attempt.provider), credit: ownerOf(attempt) }
  const cause = { paymentId: payment.id, causeId: uuidOf(id) }
  return {
    openedAnomalies: [
      {
        accountId: payment.accountId,
        id,
        paymentId: payment.id,
        attemptId: attempt.id,
        refundId: null,
        kind: 'returned',
        amount: null,
        currency: amount.currency,
        providerStatus: `reported by an operator: ${reason}`,
        eventReference: null,
        openedAt: at,
        resolvedAt: at,
        resolution: 'booked',
        booked: amount,
      },
    ],
    transfers: [{ kind: 'reversal_undone', ...between, amount, ...cause }],
    ...reported('payment.reversal_undone', attempt, amount, subtract(booked, amount)),
  }
}

/** Emits that an operator has found no reversal, when the merchant was told of one. */
export const dismissReversal = (amount: Money | null): Effects => ({
  events: [
    { type: 'payment.reversal_dismissed', besides: { reversal: { amount: amount && toMajor(amount) } } },
  ],
})

const ownerOf = ({ status }: Pick<Attempt, 'status'>): Transfer['debit'] =>
  status === 'duplicate' ? 'suspense' : 'merchant.payable'

/** The change of a payment that its merchant sees, and its event. A duplicate charge is no part of the payment. */
function reported(
  type: 'payment.reversal_booked' | 'payment.reversal_undone',
  { status }: Attempt,
  amount: Money,
  after: Money,
): Effects {
  if (status !== 'completed') return {}
  return {
    change: { reversed: after },
    events: [{ type, besides: { reversal: { amount: toMajor(amount) } } }],
  }
}

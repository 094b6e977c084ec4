import { RefundId } from '@muripo/contract/ids'
import { add, equals } from '@muripo/contract/money'
import { plusMs } from '../../../../platform/clock.ts'
import { AppError, invariant } from '../../../../platform/errors.ts'
import { uuidOf } from '../../../../platform/ids.ts'
import { clearing } from '../../../ledger/index.ts'
import { CALL_LEASE_MS } from '../../../providers/index.ts'
import type { PaymentCtx } from '../context.ts'
import { alarm, type Effects } from '../effects.ts'
import {
  type Attempt,
  type Payment,
  paidAmountOf,
  type Refund,
  remainingOf,
  unansweredCall,
} from '../payment.ts'
import type { PaymentState, WholeState } from '../state.ts'
import { bookedOf } from '../store-anomalies.ts'
import type { KeyedRequest } from '../store-idempotency.ts'
import type { AnomalyKind } from '../tables.ts'

export type RequestedRefund = Pick<Refund, 'id' | 'amount' | 'reason'> & {
  readonly requestedBy?: string | null | undefined
  readonly keyed?: KeyedRequest | null
  /** An operator sends the refund, also when its provider has a refund call. */
  readonly isByHand?: boolean
}

/** A refund to open, with its charge. */
export interface OpeningRefund {
  readonly effects: Effects
  readonly refund: Refund
  readonly charge: Attempt
}

/**
 * Opens a refund of a payment: its amount is reserved from the merchant's balance before the provider or an operator sends it. Invariant:
 * pending and completed refunds never exceed the amount. The payment's version orders the requests, and a check constraint on the sum refuses
 * any other.
 * @throws AppError payment_not_refundable, refund_exceeds_remaining
 */
export function openRefund(
  ctx: Pick<PaymentCtx, 'providers'>,
  state: WholeState,
  { id, amount, reason, requestedBy = null, keyed = null, isByHand = false }: RequestedRefund,
): OpeningRefund {
  const { payment, attempts, at } = state
  if (payment.status !== 'completed') throw new AppError('payment_not_refundable')
  if (amount.minor <= 0n || amount.minor > remainingOf(payment).minor)
    throw new AppError('refund_exceeds_remaining')
  const charge = attempts.find(({ status }) => status === 'completed')
  invariant(charge, 'a completed payment has a completed attempt')
  // An amount that the provider has reversed cannot be refunded too, also while an operator has not booked it.
  const unbooked = reversedOf(state, charge) - payment.reversed.minor
  if (unbooked > 0n && amount.minor > remainingOf(payment).minor - unbooked)
    throw new AppError('refund_exceeds_remaining')
  const isSent = !isByHand && canSend(ctx, charge, equals(amount, paidAmountOf(payment)))
  const refund = newRefund(payment, charge, at, {
    id,
    amount,
    reason,
    requestedBy,
    origin: 'merchant',
    isSent,
  })
  const reserve = { paymentId: payment.id, causeId: uuidOf(id), amount }
  const effects: Effects = {
    openedRefund: { ...refund, keyed },
    change: { refundPending: add(payment.refundPending, amount) },
    transfers: [{ kind: 'refund_reserve', debit: 'merchant.payable', credit: 'refunds.payable', ...reserve }],
  }
  return { effects, refund, charge }
}

/**
 * Opens the refund of a second success on a completed payment. The second amount is owed to the payer and was never the merchant's: it is
 * booked as such, and its refund is opened in the same commit. After a crash before it is sent, the refund is looked up and ends with an
 * operator.
 * @param charge with the provider's present reference
 */
export function openDuplicateRefund(
  ctx: Pick<PaymentCtx, 'providers' | 'ids'>,
  { payment, at }: PaymentState,
  charge: Attempt,
): OpeningRefund {
  const { amount } = charge
  const refund = newRefund(payment, charge, at, {
    id: ctx.ids.next(RefundId),
    amount,
    reason: 'Paid twice',
    requestedBy: null,
    origin: 'duplicate',
    isSent: canSend(ctx, charge, true),
  })
  const cause = { paymentId: payment.id, causeId: uuidOf(refund.id) }
  const debit = clearing(charge.provider)
  const effects: Effects = {
    openedRefund: refund,
    transfers: [{ kind: 'duplicate_capture', debit, credit: 'refunds.payable', amount, ...cause }],
    ...alarm(
      { paymentId: payment.id, attemptId: charge.id },
      'a payment was paid twice; the second amount is refunded',
    ),
  }
  return { effects, refund, charge }
}

/** @param requested isSent: the provider sends it, and not an operator */
export function newRefund(
  payment: Payment,
  charge: Attempt,
  now: Date,
  requested: Pick<Refund, 'id' | 'amount' | 'reason' | 'requestedBy' | 'origin'> & {
    readonly isSent: boolean
    readonly replacesId?: RefundId
  },
): Refund {
  const { isSent, replacesId = null, ...facts } = requested
  return {
    ...facts,
    replacesId,
    accountId: payment.accountId,
    applicationId: payment.applicationId,
    paymentId: payment.id,
    attemptId: charge.id,
    status: isSent ? 'sending' : 'awaiting_operator',
    nextCheckAt: isSent ? plusMs(now, CALL_LEASE_MS) : null,
    paidLateAt: null,
    settledAt: null,
    bouncedAt: null,
    unclaimedAt: null,
    ...unansweredCall,
    createdAt: now,
    updatedAt: now,
  }
}

/** Whether the provider of this charge has a refund call; an operator sends other refunds. */
function canSend(
  { providers }: Pick<PaymentCtx, 'providers'>,
  { provider, providerReference }: Attempt,
  isWhole: boolean,
): boolean {
  if (!providers.has(provider) || providerReference === null) return false
  const { refund } = providers.byId(provider)
  return refund === 'api-partial' || (refund === 'api-full' && isWhole)
}

const takesBack: readonly AnomalyKind[] = ['reversed', 'contradicted']

/**
 * The reversed amount of a charge, as far as known: the bookings of operators on rows of any kind, and each open reversal with its amount,
 * or with the whole charge when it has none.
 */
export function reversedOf(
  { payment, anomalies }: Pick<WholeState, 'payment' | 'anomalies'>,
  charge: Pick<Attempt, 'id'>,
): bigint {
  return anomalies
    .filter(
      ({ attemptId, refundId, kind, resolution }) =>
        attemptId === charge.id && refundId === null && resolution === null && takesBack.includes(kind),
    )
    .reduce(
      (sum, { amount }) => sum + (amount?.minor ?? paidAmountOf(payment).minor),
      bookedOf(anomalies, charge.id, null),
    )
}

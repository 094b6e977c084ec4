import type { RefundId } from '@muripo/contract/ids'
import { add, equals, type Money } from '@muripo/contract/money'
import { plusMs } from '../../../../platform/clock.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { AppError, invariant } from '../../../../platform/errors.ts'
import { uuidOf } from '../../../../platform/ids.ts'
import { attemptsOf } from '../../attempts/store-attempts.ts'
import type { PaymentsCtx } from '../../context.ts'
import type { KeyedRequest } from '../../idempotency.ts'
import {
  type Attempt,
  type LockedPayment,
  type Payment,
  paidAmountOf,
  type Refund,
  requestedAmount,
} from '../../payment.ts'
import { SENDING_LEASE_MS, type SendingStart, startSending } from '../../provider-calls/sending.ts'
import { reversedOf } from '../../review/store-anomalies.ts'
import { applyChange } from '../../store-change-set.ts'
import { remainingOf } from '../decide-refund.ts'

export interface OpenedRefund {
  readonly refund: Refund
  readonly charge: Attempt
  readonly sendingStart: SendingStart
}

/**
 * @param major as a client sent it
 * @throws AppError refund_mismatch
 */
export function refundAmount(payment: Payment, major: number, currency?: Money['currency']): Money {
  const amount = requestedAmount(paidAmountOf(payment), major, currency)
  if (amount === null) throw new AppError('refund_mismatch')
  return amount
}

/**
 * Opens a refund of a locked payment: its amount is reserved from the merchant's balance before the provider or an operator is asked to
 * send it. Invariant: pending and completed refunds never exceed the amount. The payment's lock orders the requests, and a check constraint
 * on the sum refuses any other.
 * @throws AppError payment_not_refundable, refund_exceeds_remaining, refund_conflict when the same was requested less than ten minutes ago
 */
export async function openRefund(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  requested: {
    id: RefundId
    amount: Money
    reason: string | null
    requestedBy?: string | undefined
    keyed?: KeyedRequest | null
  },
): Promise<OpenedRefund> {
  const sendingStart = startSending(ctx)
  const { id, amount, reason, requestedBy = null, keyed = null } = requested
  if (payment.status !== 'completed') throw new AppError('payment_not_refundable')
  if (amount.minor <= 0n || amount.minor > remainingOf(payment).minor)
    throw new AppError('refund_exceeds_remaining')
  const attempts = await attemptsOf(tx, payment.accountId, payment.id)
  const charge = attempts.find(({ status }) => status === 'completed')
  invariant(charge, 'a completed payment has a completed attempt')
  // An amount that the provider has reversed cannot be refunded too.
  const reversed = await reversedOf(tx, payment, charge)
  if (reversed > 0n && amount.minor > remainingOf(payment).minor - reversed)
    throw new AppError('refund_exceeds_remaining')
  const isWhole = equals(amount, paidAmountOf(payment))
  const refund = newRefund(ctx, payment, charge, {
    id,
    amount,
    reason,
    requestedBy,
    origin: 'merchant',
    isWhole,
  })
  const reserve = { paymentId: payment.id, causeId: uuidOf(id), amount }
  await applyChange(ctx, tx, {
    payment,
    at: payment.lockedAt,
    openedRefund: { ...refund, keyed },
    change: { refundPending: add(payment.refundPending, amount) },
    transfers: [{ kind: 'refund_reserve', debit: 'merchant.payable', credit: 'refunds.payable', ...reserve }],
  }).catch((error: { constraint?: string }) => {
    if (error.constraint === 'refunds_no_repetition') throw new AppError('refund_conflict')
    throw error
  })
  return { refund, charge, sendingStart }
}

export function newRefund(
  ctx: PaymentsCtx,
  payment: LockedPayment,
  charge: Attempt,
  requested: Pick<Refund, 'id' | 'amount' | 'reason' | 'requestedBy' | 'origin'> & {
    readonly isWhole: boolean
  },
): Refund {
  const { isWhole, ...facts } = requested
  const now = payment.lockedAt
  const isSent = canSend(ctx, charge, isWhole)
  return {
    ...facts,
    accountId: payment.accountId,
    applicationId: payment.applicationId,
    paymentId: payment.id,
    attemptId: charge.id,
    status: isSent ? 'sending' : 'awaiting_operator',
    nextCheckAt: isSent ? plusMs(now, SENDING_LEASE_MS) : null,
    paidLateAt: null,
    settledAt: null,
    failureReason: null,
    providerReference: null,
    providerState: null,
    checks: 0,
    notFoundChecks: 0,
    outcomeFailures: 0,
    isDeferred: false,
    createdAt: now,
    updatedAt: now,
  }
}

/** Whether the provider of this charge has a refund call; an operator sends other refunds. */
function canSend(ctx: PaymentsCtx, { provider, providerReference }: Attempt, isWhole: boolean): boolean {
  if (!ctx.providers.has(provider) || providerReference === null) return false
  const { refund } = ctx.providers.byId(provider)
  return refund === 'api-partial' || (refund === 'api-full' && isWhole)
}

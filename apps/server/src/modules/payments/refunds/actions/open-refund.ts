import { type AccountId, RefundId } from '@muripo/contract/ids'
import { add, equals } from '@muripo/contract/money'
import { plusMs } from '../../../../platform/clock.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { AppError, invariant } from '../../../../platform/errors.ts'
import { suffixOf, uuidOf } from '../../../../platform/ids.ts'
import { clearing } from '../../../ledger/index.ts'
import type { PaymentsCtx } from '../../context.ts'
import { numberOf } from '../../customers/retained-numbers.ts'
import { applyChange } from '../../payment/commit.ts'
import {
  type Attempt,
  type LockedPayment,
  paidAmountOf,
  type Refund,
  remainingOf,
} from '../../payment/payment.ts'
import { reversedOf } from '../../payment/store-anomalies.ts'
import { attemptsOf, findAttempt } from '../../payment/store-attempts.ts'
import type { KeyedRequest } from '../../payment/store-idempotency.ts'
import { lockPayment } from '../../payment/store-payment.ts'
import { changedRefund, findRefund, updateRefund } from '../../payment/store-refunds.ts'
import {
  callbackUrl,
  callProvider,
  maySend,
  SENDING_LEASE_MS,
  type SendingStart,
  sendingGuard,
  startSending,
} from '../../provider-calls/call-provider.ts'
import { applyRefundOutcome } from './apply-refund-outcome.ts'

/** A refund that is recorded, and not yet sent. */
export interface OpenedRefund {
  readonly refund: Refund
  readonly charge: Attempt
  readonly sendingStart: SendingStart
}

export type RequestedRefund = Pick<Refund, 'id' | 'amount' | 'reason'> & {
  readonly requestedBy?: string | null | undefined
  readonly keyed?: KeyedRequest | null
  /** An operator sends the refund, also when its provider has a refund call. */
  readonly isByHand?: boolean
}

/**
 * Opens a refund of a locked payment: its amount is reserved from the merchant's balance before the provider or an operator
 * sends it. Invariant: pending and completed refunds never exceed the amount. The payment's lock orders the requests, and a check constraint
 * on the sum refuses any other.
 * @throws AppError payment_not_refundable, refund_exceeds_remaining, refund_conflict when the same was requested less than ten minutes ago
 */
export async function openRefund(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  { id, amount, reason, requestedBy = null, keyed = null, isByHand = false }: RequestedRefund,
): Promise<OpenedRefund> {
  const sendingStart = startSending(ctx)
  if (payment.status !== 'completed') throw new AppError('payment_not_refundable')
  if (amount.minor <= 0n || amount.minor > remainingOf(payment).minor)
    throw new AppError('refund_exceeds_remaining')
  const attempts = await attemptsOf(tx, payment.accountId, payment.id)
  const charge = attempts.find(({ status }) => status === 'completed')
  invariant(charge, 'a completed payment has a completed attempt')
  // An amount that the provider has reversed cannot be refunded too, also while an operator has not booked it.
  const unbooked = (await reversedOf(tx, payment, charge)) - payment.reversed.minor
  if (unbooked > 0n && amount.minor > remainingOf(payment).minor - unbooked)
    throw new AppError('refund_exceeds_remaining')
  const refund = newRefund(payment, charge, {
    id,
    amount,
    reason,
    requestedBy,
    origin: 'merchant',
    isSent: !isByHand && canSend(ctx, charge, equals(amount, paidAmountOf(payment))),
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

/**
 * Opens the refund of a second success on a locked, completed payment. The second amount is owed to the payer and was never the merchant's:
 * it is booked as such, and its refund is opened in the same commit. The caller passes the refund to sendRefund after its commit; after a
 * crash in between, the refund is looked up and ends with an operator.
 * @param attempt with the provider's present reference
 */
export async function openDuplicateRefund(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  attempt: Attempt,
): Promise<OpenedRefund> {
  const sendingStart = startSending(ctx)
  const refund = newRefund(payment, attempt, {
    id: ctx.ids.next(RefundId),
    amount: attempt.amount,
    reason: 'Paid twice',
    requestedBy: null,
    origin: 'duplicate',
    isSent: canSend(ctx, attempt, true),
  })
  await applyChange(ctx, tx, {
    payment,
    at: payment.lockedAt,
    openedRefund: refund,
    transfers: [
      {
        kind: 'duplicate_capture',
        debit: clearing(attempt.provider),
        credit: 'refunds.payable',
        amount: refund.amount,
        paymentId: payment.id,
        causeId: uuidOf(refund.id),
      },
    ],
  })
  return { refund, charge: attempt, sendingStart }
}

/** @param requested isSent: the provider sends it, and not an operator */
export function newRefund(
  payment: LockedPayment,
  charge: Attempt,
  requested: Pick<Refund, 'id' | 'amount' | 'reason' | 'requestedBy' | 'origin'> & {
    readonly isSent: boolean
    readonly replacesId?: RefundId
  },
): Refund {
  const { isSent, replacesId = null, ...facts } = requested
  const now = payment.lockedAt
  return {
    ...facts,
    replacesId,
    accountId: payment.accountId,
    applicationId: payment.applicationId,
    paymentId: payment.id,
    attemptId: charge.id,
    status: isSent ? 'sending' : 'awaiting_operator',
    nextCheckAt: isSent ? plusMs(now, SENDING_LEASE_MS) : null,
    paidLateAt: null,
    settledAt: null,
    bouncedAt: null,
    unclaimedAt: null,
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

/**
 * Sends an opened refund to its provider, once: after a crash it is looked up and never sent again. A refund that waits for an operator is
 * not sent.
 */
export async function sendRefund(
  ctx: PaymentsCtx,
  { refund, charge, sendingStart }: OpenedRefund,
): Promise<void> {
  if (refund.status !== 'sending') return
  const msisdn = await numberOf(ctx, charge)
  if (!maySend(ctx, sendingStart, refund)) return
  const connector = ctx.providers.byId(charge.provider)
  const { providerReference } = charge
  const { refundCharge } = connector
  invariant(refundCharge && providerReference !== null, 'only what a provider can send is sending')
  const { isLate, beforeSending } = sendingGuard(ctx, sendingStart, refund)
  const outcome = await callProvider(ctx, refund, connector.id, () =>
    refundCharge({
      accountId: refund.accountId,
      key: suffixOf(refund.id),
      amount: refund.amount,
      originalKey: suffixOf(charge.id),
      originalReference: providerReference,
      originalState: charge.providerState ?? {},
      msisdn,
      reason: refund.reason ?? 'Refund',
      callbackUrl: callbackUrl(ctx, connector.id, ctx.refundLinks.tokenOf(refund.accountId, refund.id)),
      beforeSending,
    }),
  )
  if (isLate()) return
  await applyRefundOutcome(ctx, refund.accountId, refund.id, outcome)
}

/** A refund that is recorded, with its charge; null when it was rolled back. */
export async function findOpened(
  tx: Tx,
  accountId: AccountId,
  id: RefundId,
  sendingStart: SendingStart,
): Promise<OpenedRefund | null> {
  const refund = await findRefund(tx, accountId, id)
  if (refund === null) return null
  const charge = await findAttempt(tx, accountId, refund.attemptId)
  invariant(charge, 'a refund has its charge')
  return { refund, charge, sendingStart }
}

/** Sends a deferred refund. It is claimed in a commit of its own first: after a crash it is looked up like any refund. */
export async function resumeRefund(ctx: PaymentsCtx, accountId: AccountId, id: RefundId): Promise<void> {
  const claimed = await claim(ctx, accountId, id)
  if (claimed) await sendRefund(ctx, claimed)
}

async function claim(ctx: PaymentsCtx, accountId: AccountId, id: RefundId): Promise<OpenedRefund | null> {
  const sendingStart = startSending(ctx)
  const seen = await findRefund(ctx.db.kysely, accountId, id)
  if (!seen?.isDeferred) return null
  return ctx.db.tx(async (tx) => {
    const payment = await lockPayment(tx, accountId, seen.paymentId)
    const found = await findOpened(tx, accountId, id, sendingStart)
    invariant(payment && found, 'payments and refunds are never deleted')
    if (!found.refund.isDeferred) return null
    const now = payment.lockedAt
    const change = { isDeferred: false, nextCheckAt: plusMs(now, SENDING_LEASE_MS) }
    await updateRefund(tx, found.refund, change, now)
    return { ...found, refund: changedRefund(found.refund, change, now) }
  })
}

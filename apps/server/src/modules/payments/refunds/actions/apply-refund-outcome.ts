import type { AccountId, RefundId } from '@muripo/contract/ids'
import { add, equals, subtract } from '@muripo/contract/money'
import type { StatusReason } from '@muripo/contract/payments'
import type { Tx } from '../../../../platform/db/database.ts'
import { invariant } from '../../../../platform/errors.ts'
import { uuidOf } from '../../../../platform/ids.ts'
import { clearing, post } from '../../../ledger/index.ts'
import { findAttempt } from '../../attempts/store-attempts.ts'
import type { PaymentsCtx } from '../../context.ts'
import { updateAndEmit } from '../../events.ts'
import { afterMove, isOpenRefund } from '../../machine.ts'
import type { Attempt, LockedPayment, Refund } from '../../payment.ts'
import { nextWatch, openUnresolved } from '../../provider-calls/actions/watch-failed.ts'
import {
  BY_OPERATOR,
  type CallOutcome,
  factsOf,
  interpretOutcome,
  type RefundDecision,
  traceOf,
} from '../../provider-calls/outcome.ts'
import { newWatch, nextCheckAt } from '../../provider-calls/schedule.ts'
import { findWatch } from '../../provider-calls/store-watched.ts'
import { openAnomaly } from '../../review/actions/open-anomaly.ts'
import { lockPayment, type PaymentChange } from '../../store.ts'
import { toPublicRefund } from '../../wire.ts'
import { findRefund, type RefundChange, updateRefund } from '../store-refunds.ts'
import { remainingOf } from './open-refund.ts'

/** As applyOutcome, for a refund: reply, callback and look-up all end here, and a repeated outcome changes nothing. */
export function applyRefundOutcome(
  ctx: PaymentsCtx,
  accountId: AccountId,
  refundId: RefundId,
  outcome: CallOutcome | RefundDecision,
): Promise<void> {
  return ctx.db.tx((tx) => applyRefundOutcomeIn(ctx, tx, accountId, refundId, outcome))
}

/** As applyRefundOutcome, in the caller's transaction. */
export async function applyRefundOutcomeIn(
  ctx: PaymentsCtx,
  tx: Tx,
  accountId: AccountId,
  refundId: RefundId,
  said: CallOutcome | RefundDecision,
): Promise<void> {
  const seen = await findRefund(tx, accountId, refundId)
  invariant(seen, 'a refund is written down before its provider is called')
  const payment = await lockPayment(tx, accountId, seen.paymentId)
  const refund = await findRefund(tx, accountId, refundId)
  const charge = await findAttempt(tx, accountId, seen.attemptId)
  invariant(payment && refund && charge, 'payments, refunds and attempts are never deleted')
  if (!isOpenRefund(refund.status)) return late(ctx, tx, payment, refund, charge, said)

  if (said.kind === 'decided') return decide(ctx, tx, payment, refund, charge, said)
  const outcome = interpretOutcome(payment.lockedAt, refund, said)
  if (outcome.kind === 'failed')
    return refuse(ctx, tx, payment, refund, charge, outcome.reason, traceOf(outcome), outcome.neverSent)
  if (outcome.kind === 'unknown') return wait(ctx, tx, payment, refund, charge, 'unknown', traceOf(outcome))
  const { reply } = outcome
  const facts = factsOf(reply, refund, outcome.keepsState)
  if (reply.outcome === 'failed')
    return refuse(ctx, tx, payment, refund, charge, reply.reason ?? 'declined', facts)
  if (reply.outcome === 'pending') return wait(ctx, tx, payment, refund, charge, 'pending', facts)
  // A refund that its provider reversed is not paid, and may still be paid: an operator has to ask.
  if (reply.outcome === 'reversed') return wait(ctx, tx, payment, refund, charge, 'unknown', facts)
  // A success without an amount does not count: a later look-up may return the amount.
  if (reply.echo === null) return wait(ctx, tx, payment, refund, charge, 'unknown', facts)
  if (!equals(reply.echo, refund.amount)) {
    ctx.log.error(
      { refundId, paymentId: payment.id },
      'the provider refunded another amount than asked; a person has to look',
    )
    await updateRefund(tx, refund, { ...facts, status: 'unknown', nextCheckAt: null }, payment.lockedAt)
    return
  }
  return settle(ctx, tx, payment, refund, charge, facts)
}

/** Applies an operator's decision: the refund was sent by hand, or cannot be paid. */
async function decide(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  refund: Refund,
  charge: Attempt,
  { verdict }: RefundDecision,
): Promise<void> {
  if (verdict.kind === 'failed') {
    const trace = { providerStatus: BY_OPERATOR + verdict.reason }
    return refuse(ctx, tx, payment, refund, charge, 'declined', trace)
  }
  const providerStatus = 'paid by the operator'
  const facts = { providerStatus, providerReference: verdict.reference, notFoundChecks: 0 }
  return settle(ctx, tx, payment, refund, charge, facts)
}

async function settle(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  refund: Refund,
  charge: Attempt,
  facts: RefundChange,
): Promise<void> {
  const change = { ...facts, status: 'completed', nextCheckAt: null } as const
  const paid = await updateRefund(tx, refund, change, payment.lockedAt)
  await post(ctx, tx, payment.accountId, {
    kind: 'refund_paid',
    debit: 'refunds.payable',
    credit: clearing(charge.provider),
    amount: refund.amount,
    paymentId: payment.id,
    causeId: uuidOf(refund.id),
  })
  // Nothing was taken from the merchant's balance.
  if (refund.origin === 'duplicate') return
  const refundPending = subtract(payment.refundPending, refund.amount)
  await updateAndEmitRefund(ctx, tx, payment, { ...paidBack(payment, refund), refundPending }, paid)
}

/**
 * An outcome after the end changes nothing, with one exception: the provider paid a refund that it had refused. The reserve was released to
 * the merchant's balance, so the amount is taken from there. When another refund has taken it meanwhile, an operator decides.
 */
async function late(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  refund: Refund,
  charge: Attempt,
  said: CallOutcome | RefundDecision,
): Promise<void> {
  if (said.kind === 'decided' || refund.settledAt !== null) return
  if (refund.status === 'completed') return reviewPaidRefund(ctx, tx, payment, refund, charge, said)
  // A success without an amount does not count, as for an open refund: a later look-up may return the amount.
  if (!isPaid(said) || said.reply.echo === null) return watchOn(ctx, tx, payment, refund, charge, said)
  const { reply } = said
  const isAsAsked = equals(said.reply.echo, refund.amount)
  const isStillHere = payment.status === 'completed' && refund.amount.minor <= remainingOf(payment).minor
  const fits = isAsAsked && isStillHere
  const now = payment.lockedAt
  ctx.log.error(
    { refundId: refund.id, paymentId: payment.id, booked: fits },
    'a provider paid a refund that it had refused',
  )
  const facts = factsOf(reply, refund, said.keepsState)
  if (!fits) {
    await updateRefund(tx, refund, { ...facts, paidLateAt: refund.paidLateAt ?? now, nextWatchAt: null }, now)
    return
  }
  const change = {
    ...facts,
    status: 'completed',
    failureReason: null,
    paidLateAt: null,
    nextWatchAt: null,
  } as const
  const paid = await updateRefund(tx, refund, change, now)
  await post(ctx, tx, payment.accountId, {
    kind: 'refund_paid',
    debit: 'merchant.payable',
    credit: clearing(charge.provider),
    amount: refund.amount,
    paymentId: payment.id,
    causeId: uuidOf(refund.id),
  })
  await updateAndEmitRefund(ctx, tx, payment, paidBack(payment, refund), paid)
}

type PaidReply = Extract<CallOutcome, { kind: 'reply' }>

const isPaid = (said: CallOutcome): said is PaidReply =>
  said.kind === 'reply' && (said.reply.outcome === 'completed' || said.reply.outcome === 'refunded')

/** A completed refund stays completed. A contradicting answer of its provider opens an anomaly for an operator. */
async function reviewPaidRefund(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  refund: Refund,
  charge: Attempt,
  said: CallOutcome,
): Promise<void> {
  const isContradicted =
    said.kind === 'reply' && (said.reply.outcome === 'failed' || said.reply.outcome === 'reversed')
  if (!isContradicted) return
  const { providerStatus } = said.reply
  await openAnomaly(ctx, tx, { payment, attempt: charge, refund, kind: 'contradicted', providerStatus })
}

/** Records a look-up of a failed refund that its provider has not paid. */
async function watchOn(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  refund: Refund,
  charge: Attempt,
  said: CallOutcome,
): Promise<void> {
  if (refund.paidLateAt !== null) return
  const next = nextWatch(ctx, await findWatch(tx, 'refunds', refund), said, payment.lockedAt)
  if (next === null) return
  const { isUnresolved, ...change } = next
  const facts =
    said.kind === 'reply' && said.reply.outcome === 'pending' ? factsOf(said.reply, refund, true) : {}
  await updateRefund(tx, refund, { ...facts, ...change }, payment.lockedAt)
  if (isUnresolved) await openUnresolved(ctx, tx, { payment, attempt: charge, refund }, said)
}

const paidBack = (payment: LockedPayment, refund: Refund) => {
  const refunded = add(payment.refunded, refund.amount)
  return {
    refunded,
    ...(equals(refunded, payment.amount) && { status: afterMove(payment.status, 'refund') }),
  }
}

/** The event contains the payment as it is now, and the refund that changed it. */
async function updateAndEmitRefund(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  change: PaymentChange,
  refund: Refund,
): Promise<void> {
  const type = refund.status === 'completed' ? 'payment.refunded' : 'refund.failed'
  await updateAndEmit(ctx, tx, payment, change, type, { refund: toPublicRefund(refund) })
}

/**
 * The provider does not pay the refund: the amount is released to the merchant's balance, and another refund may be requested. The amount
 * of a duplicate charge stays owed to the payer, and an operator has to send it.
 */
async function refuse(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  refund: Refund,
  charge: Attempt,
  reason: StatusReason,
  facts: RefundChange,
  neverSent = false,
): Promise<void> {
  const change: RefundChange = { ...facts, failureReason: reason, nextCheckAt: null }
  const now = payment.lockedAt
  if (refund.origin === 'duplicate') {
    ctx.log.error(
      { refundId: refund.id, paymentId: payment.id, reason },
      'what was paid twice was not taken back by its provider; a person has to send it',
    )
    await updateRefund(tx, refund, { ...change, status: 'awaiting_operator' }, now)
    return
  }
  // The provider has no record of a refund that an operator was to send.
  const wasSent = !neverSent && refund.status !== 'awaiting_operator'
  const watch = wasSent && ctx.providers.canLookUpRefund(charge.provider) ? newWatch(now, ctx.ids) : {}
  const failed = await updateRefund(tx, refund, { ...change, status: 'failed', ...watch }, now)
  await post(ctx, tx, payment.accountId, {
    kind: 'refund_released',
    debit: 'refunds.payable',
    credit: 'merchant.payable',
    amount: refund.amount,
    paymentId: payment.id,
    causeId: uuidOf(refund.id),
  })
  const refundPending = subtract(payment.refundPending, refund.amount)
  await updateAndEmitRefund(ctx, tx, payment, { refundPending }, failed)
}

async function wait(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  refund: Refund,
  charge: Attempt,
  status: 'pending' | 'unknown',
  facts: RefundChange,
): Promise<void> {
  // An operator is handling the refund.
  if (refund.status === 'awaiting_operator') return
  const now = payment.lockedAt
  const minPollMs = ctx.providers.minPollMs(charge.provider)
  // A refund that an operator reviews stays there until an outcome resolves it.
  const next = refund.nextCheckAt && nextCheckAt(refund.createdAt, now, minPollMs, ctx.ids)
  if (next === null && refund.nextCheckAt !== null)
    ctx.log.error({ refundId: refund.id }, 'a refund is still open after a day; a person has to look')
  await updateRefund(
    tx,
    refund,
    { ...facts, status: refund.status === 'pending' ? 'pending' : status, nextCheckAt: next },
    now,
  )
}

import { AnomalyId } from '@muripo/contract/ids'
import { type Money, money, subtract, toMajor } from '@muripo/contract/money'
import type { Tx } from '../../../../platform/db/database.ts'
import type { PaymentsCtx } from '../../context.ts'
import { type Attempt, type LockedPayment, paidAmountOf, type Refund } from '../../payment.ts'
import type { KnownOutcome } from '../../provider-calls/outcome.ts'
import { applyChange } from '../../store-change-set.ts'
import type { AnomalyKind } from '../../tables.ts'
import {
  type Anomaly,
  anomaliesOf,
  bookedOf,
  insertAnomaly,
  raiseAnomalyAmount,
  returnedOf,
} from '../store-anomalies.ts'

interface Seen {
  readonly payment: LockedPayment
  readonly attempt: Attempt
  readonly refund?: Refund
  readonly kind: AnomalyKind
  readonly amount?: Money | null
  readonly providerStatus: string
}

const alarms: Readonly<Record<AnomalyKind, string>> = {
  reversed: 'a provider reversed a paid charge; an operator has to decide',
  contradicted: 'a provider refused a charge that it had confirmed; it stays completed',
  still_pending: 'a provider still has a call that failed here three days ago; an operator has to decide',
  unanswered: 'a provider did not answer for three days; an operator has to decide',
}

/**
 * Opens an anomaly of a locked payment. An anomaly that an operator has already resolved is not opened again for the same provider status.
 * @returns whether it is new
 */
export async function openAnomaly(ctx: PaymentsCtx, tx: Tx, seen: Seen): Promise<boolean> {
  const { payment, attempt, refund, kind, amount = null, providerStatus } = seen
  const refundId = refund?.id ?? null
  const known = await anomaliesOf(tx, payment.accountId, payment.id)
  const isLookedAt = known.some(
    (each) =>
      each.attemptId === attempt.id &&
      each.refundId === refundId &&
      each.kind === kind &&
      each.resolution === 'nothing_moved' &&
      each.providerStatus === providerStatus &&
      each.amount?.minor === amount?.minor,
  )
  if (isLookedAt && kind !== 'unanswered') return false
  const isNew = await insertAnomaly(tx, {
    accountId: payment.accountId,
    id: ctx.ids.next(AnomalyId),
    paymentId: payment.id,
    attemptId: attempt.id,
    refundId,
    kind,
    amount,
    currency: payment.amount.currency,
    providerStatus,
    openedAt: payment.lockedAt,
  })
  if (isNew)
    ctx.log.error(
      { paymentId: payment.id, attemptId: attempt.id, refundId, anomaly: kind, amount, providerStatus },
      alarms[kind],
    )
  return isNew
}

/**
 * Handles a provider's reply about a booked charge. The booking stays; an operator reviews a contradiction.
 * @returns whether the reply is final. False while a refund is open, because the amount was reversed without the refund if the refund fails
 */
export async function reviewBookedCharge(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  attempt: Attempt,
  reported: KnownOutcome,
): Promise<boolean> {
  if (reported.kind === 'unknown') return true
  const outcome = reported.kind === 'reply' ? reported.reply.outcome : 'failed'
  const { providerStatus } = reported.kind === 'reply' ? reported.reply : reported
  if (outcome === 'failed')
    await openAnomaly(ctx, tx, { payment, attempt, kind: 'contradicted', providerStatus })
  if (reported.kind !== 'reply' || (outcome !== 'reversed' && outcome !== 'refunded')) return true
  return openReversal(ctx, tx, payment, attempt, reported.reply)
}

/**
 * Opens an anomaly for a reversed charge. Amounts of the gateway's own refunds and of earlier anomalies are not reported again. A larger
 * amount raises the open anomaly, and the event contains the difference.
 */
async function openReversal(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  attempt: Attempt,
  { outcome, echo, providerStatus }: Extract<KnownOutcome, { kind: 'reply' }>['reply'],
): Promise<boolean> {
  const { returned, open: openRefunds } = await returnedOf(tx, payment.accountId, attempt.id)
  const anomalies = await anomaliesOf(tx, payment.accountId, payment.id)
  const booked = bookedOf(anomalies, attempt.id, null)
  const { currency } = attempt.amount
  const takenBack = echo?.currency === currency ? echo.minor : paidAmountOf(payment).minor
  // An open refund may still fail. The report is final without it when completed refunds and bookings account for the amount.
  const isFinal = openRefunds === 0n || takenBack <= returned - openRefunds + booked
  // A provider reports a charge as refunded that the gateway has refunded, in whole or in part.
  if (outcome === 'refunded' && returned > 0n) return isFinal
  const isAccountedFor = takenBack <= returned + booked
  if (isAccountedFor) return isFinal
  const amount = echo?.currency === currency ? money(takenBack - returned - booked, currency) : null
  const open = anomalies.find(
    ({ attemptId, refundId, kind, resolution }) =>
      attemptId === attempt.id && refundId === null && kind === 'reversed' && resolution === null,
  )
  if (open) {
    const difference = await raiseReversal(ctx, tx, open, amount)
    if (difference !== null) await emitReversal(ctx, tx, payment, difference)
    return isFinal
  }
  const isNew = await openAnomaly(ctx, tx, { payment, attempt, kind: 'reversed', amount, providerStatus })
  if (isNew) await emitReversal(ctx, tx, payment, amount)
  return isFinal
}

/** @returns the increase of the open row's amount; null when there is none, and when either amount is unknown */
async function raiseReversal(
  ctx: PaymentsCtx,
  tx: Tx,
  open: Anomaly,
  amount: Money | null,
): Promise<Money | null> {
  if (amount === null || open.amount === null || amount.minor <= open.amount.minor) return null
  await raiseAnomalyAmount(tx, open, amount)
  const { paymentId, attemptId } = open
  ctx.log.error(
    { paymentId, attemptId, anomaly: open.kind, amount, before: open.amount },
    'a provider reversed more of a paid charge; the amount of its review was raised',
  )
  return subtract(amount, open.amount)
}

const emitReversal = (
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  amount: Money | null,
): Promise<unknown> => {
  const reversal = { amount: amount === null ? null : toMajor(amount) }
  const event = { type: 'payment.reversed', besides: { reversal } } as const
  return applyChange(ctx, tx, { payment, at: payment.lockedAt, event })
}

import { equals, type Money, money, subtract, toDecimal, toMajor } from '@muripo/contract/money'
import type { Queryable, Tx } from '../../../../platform/db/database.ts'
import { invariant } from '../../../../platform/errors.ts'
import type { Reply } from '../../../providers/index.ts'
import type { PaymentsCtx } from '../../context.ts'
import { applyChange } from '../../payment/commit.ts'
import type { CallOutcome, Decision, KnownOutcome } from '../../payment/outcome.ts'
import type { Attempt, LockedPayment, Payment } from '../../payment/payment.ts'
import { findReport, recordReport } from '../../payment/provider-report.ts'
import {
  type Anomaly,
  anomaliesOf,
  bookedOf,
  changeAnomalyAmount,
  returnedOf,
} from '../../payment/store-anomalies.ts'
import { lockPayment } from '../../payment/store-payment.ts'
import { bookedAmount } from '../store-booked.ts'
import { closeExplained, isFinal, openAnomaly } from './open-anomaly.ts'

/** A booked charge behind the lock of its payment. */
export interface BookedCharge {
  readonly payment: LockedPayment
  readonly attempt: Attempt
}

/**
 * Handles a provider's reply about a booked charge: the charged amount and the returned amount are compared with the booked ones. The
 * booking stays; an operator reviews each difference.
 * @returns whether the reply is final. False while it depends on the outcome of a refund, and while a repeated report waits
 */
export async function reviewBookedCharge(
  ctx: PaymentsCtx,
  tx: Tx,
  charge: BookedCharge,
  reported: KnownOutcome,
): Promise<boolean> {
  if (reported.kind === 'unknown') return true
  if (reported.kind === 'failed') return contradicted(ctx, tx, charge, reported.providerStatus)
  const { reply } = reported
  const booked = await bookedAmount(tx, charge)
  await recordReport(tx, charge, reply, booked)
  switch (reply.outcome) {
    case 'pending':
      return true
    case 'authorized':
    case 'failed':
      return contradicted(ctx, tx, charge, reply.providerStatus)
    case 'held':
      return reviewAmount(ctx, tx, charge, { ...reply, amount: reply.echo, booked })
    case 'completed':
      return reply.echo === null || reviewAmount(ctx, tx, charge, { ...reply, amount: reply.echo, booked })
    case 'refunded':
    case 'reversed': {
      const { charged } = reply
      const isCharged =
        !charged || (await reviewAmount(ctx, tx, charge, { ...reply, amount: charged, booked }))
      const isExact = ctx.providers.returnedEcho(charge.attempt.provider) === 'total'
      return (await reviewReturned(ctx, tx, charge, { ...reply, isExact, booked })) && isCharged
    }
  }
}

/** Whether a reply repeats what is booked, and no reply has ever said anything else. It then changes nothing. */
export async function confirmsBooking(
  db: Queryable,
  charge: { readonly payment: Payment; readonly attempt: Attempt },
  reported: CallOutcome | Decision,
): Promise<boolean> {
  if (reported.kind !== 'reply' || reported.reply.outcome !== 'completed') return false
  if ((await findReport(db, charge.attempt)) !== null) return false
  const { echo } = reported.reply
  return echo === null || equals(echo, await bookedAmount(db, charge))
}

async function contradicted(
  ctx: PaymentsCtx,
  tx: Tx,
  charge: BookedCharge,
  providerStatus: string,
): Promise<boolean> {
  const opened = await openAnomaly(ctx, tx, { ...charge, kind: 'contradicted', providerStatus })
  if (opened === 'opened') await emitReversal(ctx, tx, charge.payment, charge.attempt, null)
  return isFinal(opened)
}

/** @param amount the whole amount that the provider has charged; null when it does not state it */
async function reviewAmount(
  ctx: PaymentsCtx,
  tx: Tx,
  charge: BookedCharge,
  reported: { readonly amount: Money | null; readonly booked: Money; readonly providerStatus: string },
): Promise<boolean> {
  if (reported.amount !== null && equals(reported.amount, reported.booked)) return true
  const differs = differenceOf(reported)
  return isFinal(await openAnomaly(ctx, tx, { ...charge, kind: 'amount_differs', ...differs }))
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

interface Returned extends Pick<Reply, 'outcome' | 'echo' | 'providerStatus' | 'eventReference'> {
  /** The echo is the total that has left the charge, with the refunds of the gateway. */
  readonly isExact: boolean
  readonly booked: Money
  /** The time of an earlier report: it does not include later refunds. */
  readonly reportedAt?: Date
}

/**
 * Compares the returned amount of a charge with its refunds and booked reversals. A refund that has failed explains nothing, unless its
 * provider is found to have paid it. A larger amount raises the open review, and the event contains the difference.
 */
export async function reviewReturned(
  ctx: PaymentsCtx,
  tx: Tx,
  charge: BookedCharge,
  reported: Returned,
): Promise<boolean> {
  const { payment, attempt } = charge
  const { booked, providerStatus, eventReference } = reported
  const refunds = await returnedOf(tx, attempt, reported.reportedAt)
  const anomalies = await anomaliesOf(tx, payment.accountId, payment.id)
  const explained = refunds.done + bookedOf(anomalies, attempt.id, null)
  const total = totalOf(reported, explained)
  const isExplained =
    total === null ? explained === booked.minor && namesCharge(reported) : total <= explained
  if (isExplained) {
    if (reported.reportedAt) await closeExplained(ctx, tx, charge, anomalies, providerStatus)
    return true
  }
  // An open refund may still fail.
  if (total === null ? refunds.open > 0n : total <= explained + refunds.open) return false
  const amount = total === null ? null : money(total - explained - refunds.open, booked.currency)
  const open = anomalies.find(
    ({ attemptId, refundId, kind, resolution }) =>
      attemptId === attempt.id && refundId === null && kind === 'reversed' && resolution === null,
  )
  if (open) {
    const difference = await raiseReversal(ctx, tx, open, amount)
    if (difference !== null) await emitReversal(ctx, tx, payment, attempt, difference)
    return refunds.open === 0n
  }
  const reversal = { kind: 'reversed', amount, providerStatus, eventReference } as const
  const opened = await openAnomaly(ctx, tx, { ...charge, ...reversal })
  if (opened === 'opened') await emitReversal(ctx, tx, payment, attempt, amount)
  return refunds.open === 0n && isFinal(opened)
}

/**
 * The total that has left the charge; null when it is not stated. A provider that does not state it names the amount of the charge: what it
 * reversed is then the rest, and what it refunded may be any part.
 */
function totalOf(reported: Returned, explained: bigint): bigint | null {
  const { isExact, outcome, echo, booked } = reported
  if (isExact) return echo?.currency === booked.currency ? echo.minor : null
  return outcome === 'reversed' && namesCharge(reported) && explained < booked.minor ? booked.minor : null
}

const namesCharge = ({ echo, booked }: Returned): boolean => echo === null || equals(echo, booked)

/**
 * Compares the provider's last report about a charge again, after one of its refunds has ended: a paid refund may explain what the provider
 * returned, and a failed one does not.
 */
export async function reconsiderReturned(ctx: PaymentsCtx, tx: Tx, attempt: Attempt): Promise<void> {
  const report = await findReport(tx, attempt)
  if (report?.outcome !== 'refunded' && report?.outcome !== 'reversed') return
  const payment = await lockPayment(tx, attempt.accountId, attempt.paymentId)
  invariant(payment, 'a payment is never deleted')
  const isExact = ctx.providers.returnedEcho(attempt.provider) === 'total'
  const booked = await bookedAmount(tx, { payment, attempt })
  await reviewReturned(ctx, tx, { payment, attempt }, { ...report, isExact, booked, reportedAt: report.at })
}

/** @returns the increase of the open row's amount; null when there is none, and when either amount is unknown */
async function raiseReversal(
  ctx: PaymentsCtx,
  tx: Tx,
  open: Anomaly,
  amount: Money | null,
): Promise<Money | null> {
  if (amount === null || open.amount === null || amount.minor <= open.amount.minor) return null
  await changeAnomalyAmount(tx, open, amount)
  const { paymentId, attemptId } = open
  ctx.log.error(
    { paymentId, attemptId, anomaly: open.kind, amount, before: open.amount },
    'a provider reversed more of a paid charge; the amount of its review was raised',
  )
  return subtract(amount, open.amount)
}

/** A duplicate charge was never the merchant's. */
async function emitReversal(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  { status }: Attempt,
  amount: Money | null,
): Promise<void> {
  if (status !== 'completed') return
  const reversal = { amount: amount === null ? null : toMajor(amount) }
  const event = { type: 'payment.reversed', besides: { reversal } } as const
  await applyChange(ctx, tx, { payment, at: payment.lockedAt, event })
}

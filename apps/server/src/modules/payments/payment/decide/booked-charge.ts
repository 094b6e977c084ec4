import { equals, type Money, money, subtract, toMajor } from '@muripo/contract/money'
import type { Reply } from '../../../providers/index.ts'
import type { PaymentCtx } from '../context.ts'
import { alarm, both, type Effects, nothing, stateAfter } from '../effects.ts'
import type { KnownOutcome } from '../outcome.ts'
import type { Attempt } from '../payment.ts'
import { reportAfter } from '../provider-report.ts'
import type { Anomaly, WholeState } from '../state.ts'
import { bookedOf } from '../store-anomalies.ts'
import { bookedAmount, differenceOf } from './booked.ts'
import { openAnomaly } from './open-anomaly.ts'

type Ctx = Pick<PaymentCtx, 'ids' | 'providers'>

/** isFinal: false while the reply depends on the outcome of a refund, and while a repeated report waits. */
export interface Reviewed {
  readonly effects: Effects
  readonly isFinal: boolean
}

const confirmed: Reviewed = { effects: nothing, isFinal: true }

/**
 * Decides about a provider's reply about a booked charge: the charged amount and the returned amount are compared with the booked ones. The
 * booking stays; an operator reviews each difference.
 */
export function reviewBookedCharge(
  ctx: Ctx,
  state: WholeState,
  attempt: Attempt,
  reported: KnownOutcome,
): Reviewed {
  if (reported.kind === 'unknown') return confirmed
  if (reported.kind === 'failed') return contradicted(ctx, state, attempt, reported.providerStatus)
  const { reply } = reported
  const booked = bookedAmount(state, attempt)
  const lastReport = reportAfter(attempt.lastReport, reply, booked, state.at)
  const recorded = lastReport ? { attempt: { before: attempt, change: { lastReport } } } : nothing
  const { effects, isFinal } = compared(ctx, state, attempt, reply, booked)
  return { effects: both(recorded, effects), isFinal }
}

function compared(ctx: Ctx, state: WholeState, attempt: Attempt, reply: Reply, booked: Money): Reviewed {
  switch (reply.outcome) {
    case 'pending':
      return confirmed
    case 'authorized':
    case 'failed':
      return contradicted(ctx, state, attempt, reply.providerStatus)
    case 'held':
      return reviewAmount(ctx, state, attempt, { ...reply, amount: reply.echo, booked })
    case 'completed':
      return reply.echo === null
        ? confirmed
        : reviewAmount(ctx, state, attempt, { ...reply, amount: reply.echo, booked })
    case 'refunded':
    case 'reversed': {
      const { charged } = reply
      const first = charged
        ? reviewAmount(ctx, state, attempt, { ...reply, amount: charged, booked })
        : confirmed
      const isExact = ctx.providers.returnedEcho(attempt.provider) === 'total'
      const now = stateAfter(state, first.effects)
      const second = reviewReturned(ctx, now, attempt, { ...reply, isExact, booked })
      return { effects: both(first.effects, second.effects), isFinal: first.isFinal && second.isFinal }
    }
  }
}

function contradicted(ctx: Ctx, state: WholeState, attempt: Attempt, providerStatus: string): Reviewed {
  const { effects, opening, isFinal } = openAnomaly(ctx, state, {
    attempt,
    kind: 'contradicted',
    providerStatus,
  })
  return { effects: opening === 'opened' ? both(effects, reversalEvent(attempt, null)) : effects, isFinal }
}

/** @param reported amount: the whole amount that the provider has charged; null when it does not state it */
function reviewAmount(
  ctx: Ctx,
  state: WholeState,
  attempt: Attempt,
  reported: { readonly amount: Money | null; readonly booked: Money; readonly providerStatus: string },
): Reviewed {
  if (reported.amount !== null && equals(reported.amount, reported.booked)) return confirmed
  return openAnomaly(ctx, state, { attempt, kind: 'amount_differs', ...differenceOf(reported) })
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
export function reviewReturned(ctx: Ctx, state: WholeState, attempt: Attempt, reported: Returned): Reviewed {
  const { anomalies } = state
  const { booked, providerStatus, eventReference } = reported
  const refunds = returnedOf(state, attempt, reported.reportedAt)
  const explained = refunds.done + bookedOf(anomalies, attempt.id, null)
  const total = totalOf(reported, explained)
  const isExplained =
    total === null ? explained === booked.minor && namesCharge(reported) : total <= explained
  const open = anomalies.find(
    ({ attemptId, refundId, kind, resolution }) =>
      attemptId === attempt.id && refundId === null && kind === 'reversed' && resolution === null,
  )
  if (isExplained) {
    const isResolved = reported.reportedAt && open?.providerStatus === providerStatus
    return { effects: open && isResolved ? closeExplained(state, open) : nothing, isFinal: true }
  }
  // An open refund may still fail.
  if (total === null ? refunds.open > 0n : total <= explained + refunds.open)
    return { effects: nothing, isFinal: false }
  const amount = total === null ? null : money(total - explained - refunds.open, booked.currency)
  if (open) return { effects: raiseReversal(attempt, open, amount), isFinal: refunds.open === 0n }
  const reversal = { kind: 'reversed', amount, providerStatus, eventReference } as const
  const { effects, opening, isFinal } = openAnomaly(ctx, state, { attempt, ...reversal })
  return {
    effects: opening === 'opened' ? both(effects, reversalEvent(attempt, amount)) : effects,
    isFinal: refunds.open === 0n && isFinal,
  }
}

/**
 * The sums of the refunds of a charge. done: its provider has paid them. open: their outcome is not final. A failed refund counts once it is
 * found to have been paid after all.
 * @param before the refunds that were requested up to this time
 */
export function returnedOf(
  { refunds }: Pick<WholeState, 'refunds'>,
  { id }: Pick<Attempt, 'id'>,
  before?: Date,
): { readonly done: bigint; readonly open: bigint } {
  const sum = { done: 0n, open: 0n }
  for (const { attemptId, createdAt, status, paidLateAt, amount } of refunds) {
    if (attemptId !== id || (before && createdAt > before)) continue
    if (status === 'completed' || paidLateAt !== null) sum.done += amount.minor
    if (status !== 'completed' && status !== 'failed') sum.open += amount.minor
  }
  return sum
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
export function reconsiderReturned(ctx: Ctx, state: WholeState, attempt: Attempt): Effects {
  const report = attempt.lastReport
  if (report?.outcome !== 'refunded' && report?.outcome !== 'reversed') return nothing
  const isExact = ctx.providers.returnedEcho(attempt.provider) === 'total'
  const booked = bookedAmount(state, attempt)
  return reviewReturned(ctx, state, attempt, { ...report, isExact, booked, reportedAt: report.at }).effects
}

/** Closes the open reversal that a refund explains which its provider has paid after all. */
const closeExplained = ({ payment, at }: WholeState, open: Anomaly): Effects => ({
  changedAnomalies: [{ before: open, change: { resolvedAt: at, resolution: 'nothing_moved', booked: null } }],
  ...alarm(
    { paymentId: payment.id, attemptId: open.attemptId, anomaly: open.kind },
    'a refund that its provider has paid explains a reversal; its review is closed',
  ),
})

/** Raises the amount of an open reversal, which only grows. Nothing changes when either amount is unknown. */
function raiseReversal(attempt: Attempt, open: Anomaly, amount: Money | null): Effects {
  if (amount === null || open.amount === null || amount.minor <= open.amount.minor) return nothing
  const { paymentId, attemptId } = open
  return both(
    {
      changedAnomalies: [{ before: open, change: { amount } }],
      ...alarm(
        { paymentId, attemptId, anomaly: open.kind, amount, before: open.amount },
        'a provider reversed more of a paid charge; the amount of its review was raised',
      ),
    },
    reversalEvent(attempt, subtract(amount, open.amount)),
  )
}

/** A duplicate charge was never the merchant's. */
const reversalEvent = ({ status }: Attempt, amount: Money | null): Effects =>
  status === 'completed'
    ? { events: [{ type: 'payment.reversed', besides: { reversal: { amount: amount && toMajor(amount) } } }] }
    : nothing

import { AnomalyId } from '@muripo/contract/ids'
import type { Money } from '@muripo/contract/money'
import { plusMs } from '../../../../platform/clock.ts'
import type { PaymentCtx } from '../context.ts'
import { alarm, both, type Effects, nothing } from '../effects.ts'
import type { Attempt, Refund } from '../payment.ts'
import type { WholeState } from '../state.ts'
import type { AnomalyKind } from '../tables.ts'

interface Seen {
  readonly attempt: Attempt
  readonly refund?: Refund
  readonly kind: AnomalyKind
  readonly amount?: Money | null
  readonly providerStatus: string
  /** The provider's reference of the reported event, such as a refund in its portal. */
  readonly eventReference?: string | undefined
}

const alarms: Readonly<Record<AnomalyKind, string>> = {
  reversed: 'a provider reversed a paid charge; an operator has to decide',
  contradicted: 'a provider refused a charge that it had confirmed; it stays completed',
  amount_differs: 'a provider reports another amount than was booked; an operator has to decide',
  still_pending: 'a provider still has a call that failed here three days ago; an operator has to decide',
  unanswered: 'a provider did not answer for three days; an operator has to decide',
  returned: 'a provider returned an amount that it had reversed',
  reference_repeated: 'a provider reported the reference of another payment; an operator has to decide',
}

/** An operator is not asked about the same report for so long, after two verdicts that nothing has moved. */
const QUIET_MS = 24 * 60 * 60_000

/**
 * opened: a new row. open: an operator has not resolved it yet. known: an operator has decided about this very event. later: an operator has
 * decided twice about the same report, and is asked again a day after the last verdict
 */
type AnomalyOpening = 'opened' | 'open' | 'known' | 'later'

/** The effects of a report that an operator reviews. */
export interface Opened {
  readonly effects: Effects
  readonly opening: AnomalyOpening
  /** Whether nothing remains of the report. */
  readonly isFinal: boolean
}

const opened = (opening: AnomalyOpening, effects: Effects = nothing): Opened => ({
  opening,
  effects,
  isFinal: opening !== 'later',
})

/**
 * Opens an anomaly of a payment. The verdict `unchanged` closes a row, and not the question: a later report opens it again, because a
 * provider uses the same words for a later event, unless its reference shows that it is the same event. From the second verdict on, a report
 * in the same words waits for a day.
 */
export function openAnomaly(
  ctx: Pick<PaymentCtx, 'ids'>,
  { payment, anomalies, at }: Pick<WholeState, 'payment' | 'anomalies' | 'at'>,
  { attempt, refund, kind, amount = null, providerStatus, eventReference }: Seen,
): Opened {
  const refundId = refund?.id ?? null
  const known = anomalies.filter(
    (each) => each.attemptId === attempt.id && each.refundId === refundId && each.kind === kind,
  )
  const about = {
    paymentId: payment.id,
    attemptId: attempt.id,
    refundId,
    anomaly: kind,
    amount,
    providerStatus,
  }
  const denied = known.filter(
    (each) =>
      each.resolution === 'nothing_moved' &&
      each.providerStatus === providerStatus &&
      each.amount?.minor === amount?.minor,
  )
  if (kind !== 'unanswered') {
    if (eventReference !== undefined && denied.some((each) => each.eventReference === eventReference))
      return opened('known')
    const verdict = denied.at(-1)?.resolvedAt
    if (denied.length > 1 && verdict && at < plusMs(verdict, QUIET_MS)) return opened('later')
  }
  const open = known.find(({ resolution }) => resolution === null)
  if (!open) {
    const anomaly = {
      accountId: payment.accountId,
      id: ctx.ids.next(AnomalyId),
      paymentId: payment.id,
      attemptId: attempt.id,
      refundId,
      kind,
      amount,
      currency: payment.amount.currency,
      providerStatus,
      eventReference: eventReference ?? null,
      openedAt: at,
      resolvedAt: null,
      resolution: null,
      booked: null,
    }
    return opened('opened', { openedAnomalies: [anomaly], ...alarm(about, alarms[kind]) })
  }
  if (kind !== 'amount_differs' || amount === null || amount.minor === open.amount?.minor)
    return opened('open')
  return opened(
    'open',
    both(
      { changedAnomalies: [{ before: open, change: { amount } }] },
      alarm({ ...about, before: open.amount }, alarms[kind]),
    ),
  )
}

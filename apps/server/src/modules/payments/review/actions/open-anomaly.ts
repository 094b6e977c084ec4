import { AnomalyId } from '@muripo/contract/ids'
import type { Money } from '@muripo/contract/money'
import { plusMs } from '../../../../platform/clock.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { PaymentsCtx } from '../../context.ts'
import type { Attempt, LockedPayment, Refund } from '../../payment/payment.ts'
import {
  type Anomaly,
  anomaliesOf,
  changeAnomalyAmount,
  insertAnomaly,
  resolveAnomaly,
} from '../../payment/store-anomalies.ts'
import type { AnomalyKind } from '../../payment/tables.ts'

interface Seen {
  readonly payment: LockedPayment
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
export type AnomalyOpening = 'opened' | 'open' | 'known' | 'later'

/** Whether nothing remains of the report. */
export const isFinal = (opening: AnomalyOpening): boolean => opening !== 'later'

/**
 * Opens an anomaly of a locked payment. The verdict `unchanged` closes a row, and not the question: a later report opens it again, because a
 * provider uses the same words for a later event, unless its reference shows that it is the same event. From the second verdict on, a report
 * in the same words waits for a day.
 */
export async function openAnomaly(ctx: PaymentsCtx, tx: Tx, seen: Seen): Promise<AnomalyOpening> {
  const { payment, attempt, refund, kind, amount = null, providerStatus, eventReference = null } = seen
  const refundId = refund?.id ?? null
  const known = (await anomaliesOf(tx, payment.accountId, payment.id)).filter(
    (each) => each.attemptId === attempt.id && each.refundId === refundId && each.kind === kind,
  )
  const denied = known.filter(
    (each) =>
      each.resolution === 'nothing_moved' &&
      each.providerStatus === providerStatus &&
      each.amount?.minor === amount?.minor,
  )
  if (kind !== 'unanswered') {
    if (eventReference !== null && denied.some((each) => each.eventReference === eventReference))
      return 'known'
    const verdict = denied.at(-1)?.resolvedAt
    if (denied.length > 1 && verdict && payment.lockedAt < plusMs(verdict, QUIET_MS)) return 'later'
  }
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
    eventReference,
    openedAt: payment.lockedAt,
  })
  const about = {
    paymentId: payment.id,
    attemptId: attempt.id,
    refundId,
    anomaly: kind,
    amount,
    providerStatus,
  }
  if (isNew) ctx.log.error(about, alarms[kind])
  const open = known.find(({ resolution }) => resolution === null)
  if (!isNew && open && kind === 'amount_differs' && amount !== null && amount.minor !== open.amount?.minor) {
    await changeAnomalyAmount(tx, open, amount)
    ctx.log.error({ ...about, before: open.amount }, alarms[kind])
  }
  return isNew ? 'opened' : 'open'
}

/** Closes the open reversal that a refund explains which its provider has paid after all. */
export async function closeExplained(
  ctx: PaymentsCtx,
  tx: Tx,
  { payment, attempt }: { readonly payment: LockedPayment; readonly attempt: Attempt },
  anomalies: readonly Anomaly[],
  providerStatus: string,
): Promise<void> {
  const open = anomalies.find(
    (each) =>
      each.attemptId === attempt.id &&
      each.refundId === null &&
      each.kind === 'reversed' &&
      each.resolution === null &&
      each.providerStatus === providerStatus,
  )
  if (!open) return
  await resolveAnomaly(tx, open, { at: payment.lockedAt, booked: null })
  ctx.log.error(
    { paymentId: payment.id, attemptId: attempt.id, anomaly: open.kind },
    'a refund that its provider has paid explains a reversal; its review is closed',
  )
}

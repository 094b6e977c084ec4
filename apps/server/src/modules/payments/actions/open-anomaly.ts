import { AnomalyId } from '@muripo/contract/ids'
import { type Money, money, toMajor } from '@muripo/contract/money'
import type { Tx } from '../../../platform/db/database.ts'
import type { PaymentsCtx } from '../context.ts'
import { changeAndTell } from '../events.ts'
import type { KnownOutcome } from '../outcome.ts'
import type { Attempt, LockedPayment, Refund } from '../payment.ts'
import { type AnomalyKind, anomaliesOf, bookedOf, insertAnomaly, returnedOf } from '../store-anomalies.ts'

interface Seen {
  readonly payment: LockedPayment
  readonly attempt: Attempt
  readonly refund?: Refund
  readonly kind: AnomalyKind
  readonly amount?: Money | null
  readonly providerStatus: string
}

const alarms: Readonly<Record<AnomalyKind, string>> = {
  reversed: 'a provider took a paid charge back by itself; a person has to look',
  contradicted: 'a provider refused a charge that it had confirmed; it stays completed',
  still_pending: 'a provider still has what was given up three days ago; a person has to look',
  unanswered: 'a provider could not be asked for three days; a person has to look',
}

/**
 * Opens a review row about a locked payment. What a person has looked at already, said in the same words, is not opened again.
 * @returns whether it is new
 */
export async function openAnomaly(ctx: PaymentsCtx, tx: Tx, seen: Seen): Promise<boolean> {
  const { payment, attempt, refund, kind, amount = null, providerStatus } = seen
  const refundId = refund?.id ?? null
  const known = await anomaliesOf(tx, payment.merchantId, payment.id)
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
    merchantId: payment.merchantId,
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

/** Acts on a word about a charge whose money is booked. The booking stays; what contradicts it comes before a person. */
export async function hearOfBooked(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  attempt: Attempt,
  said: KnownOutcome,
): Promise<void> {
  if (said.kind === 'unknown') return
  const outcome = said.kind === 'reply' ? said.reply.outcome : 'failed'
  const { providerStatus } = said.kind === 'reply' ? said.reply : said
  if (outcome === 'failed')
    await openAnomaly(ctx, tx, { payment, attempt, kind: 'contradicted', providerStatus })
  if (said.kind !== 'reply' || (outcome !== 'reversed' && outcome !== 'refunded')) return
  await openReversal(ctx, tx, payment, attempt, said.reply)
}

/** The provider has taken a paid charge back. What the gateway's own refunds and earlier reviews account for is no news. */
async function openReversal(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  attempt: Attempt,
  { outcome, echo, providerStatus }: Extract<KnownOutcome, { kind: 'reply' }>['reply'],
): Promise<void> {
  const returned = await returnedOf(tx, payment.merchantId, attempt.id)
  // A charge that its provider calls refunded is one that the gateway has refunded, in whole or in part.
  if (outcome === 'refunded' && returned > 0n) return
  const booked = bookedOf(await anomaliesOf(tx, payment.merchantId, payment.id), attempt.id, null)
  const { currency } = attempt.amount
  const takenBack = echo?.currency === currency ? echo.minor : attempt.amount.minor
  const isAccountedFor = takenBack <= returned + booked
  if (isAccountedFor) return
  const amount = echo?.currency === currency ? money(takenBack - returned - booked, currency) : null
  const isNew = await openAnomaly(ctx, tx, { payment, attempt, kind: 'reversed', amount, providerStatus })
  if (!isNew) return
  await changeAndTell(ctx, tx, payment, {}, 'payment.reversed', {
    reversal: { amount: amount === null ? null : toMajor(amount) },
  })
}

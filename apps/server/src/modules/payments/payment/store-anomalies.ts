import type { AnomalyId, AttemptId, PaymentId, RefundId } from '@muripo/contract/ids'
import { type Money, money } from '@muripo/contract/money'
import type { Queryable } from '../../../platform/db/database.ts'
import { uuidOf } from '../../../platform/ids.ts'
import type { Anomaly } from './state.ts'
import { paymentAnomalies } from './tables.ts'

/** The sum that operators have booked as reversed for a charge or one of its refunds, less the sum that was returned. */
export const bookedOf = (
  anomalies: readonly Anomaly[],
  attemptId: AttemptId,
  refundId: RefundId | null,
): bigint =>
  anomalies
    .filter((each) => each.attemptId === attemptId && each.refundId === refundId)
    .reduce((sum, { kind, booked }) => sum + (booked?.minor ?? 0n) * (kind === 'returned' ? -1n : 1n), 0n)

/** Open anomalies, the oldest first. */
export async function findOpenAnomalies(
  db: Queryable,
  { paymentId, limit }: { paymentId?: PaymentId; limit: number },
): Promise<Anomaly[]> {
  let select = db.selectFrom('payment_anomalies').selectAll().where('resolved_at', 'is', null)
  if (paymentId) select = select.where('payment_id', '=', uuidOf(paymentId))
  return (await select.orderBy('opened_at').limit(limit).execute()).map(paymentAnomalies.read)
}

/** A charge with a booked reversal that the provider has not returned in full, and the reviews of it. */
export interface ReversedCharge extends Pick<Anomaly, 'accountId' | 'attemptId' | 'currency'> {
  readonly anomalyIds: readonly AnomalyId[]
  /** The booked amount that the provider has not returned. */
  readonly reversed: Money
}

export async function findReversedCharges(db: Queryable, paymentId: PaymentId): Promise<ReversedCharge[]> {
  const rows = await db
    .selectFrom('payment_anomalies')
    .selectAll()
    .where('payment_id', '=', uuidOf(paymentId))
    .where('refund_id', 'is', null)
    .where('booked_minor', 'is not', null)
    .execute()
  const booked = rows.map(paymentAnomalies.read)
  return [...Map.groupBy(booked, ({ attemptId }) => attemptId)]
    .map(([attemptId, of]) => {
      const [first] = of as [Anomaly]
      const reversed = money(bookedOf(booked, attemptId, null), first.currency)
      return { ...first, anomalyIds: of.map(({ id }) => id), reversed }
    })
    .filter(({ reversed }) => reversed.minor > 0n)
}

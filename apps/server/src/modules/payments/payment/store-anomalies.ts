import type { AnomalyId, AttemptId, PaymentId, RefundId } from '@muripo/contract/ids'
import type { Queryable } from '../../../platform/db/database.ts'
import type { ChangeOf } from '../../../platform/db/table.ts'
import { uuidOf } from '../../../platform/ids.ts'
import type { Anomaly } from './state.ts'
import { changeRow, paymentAnomalies } from './tables.ts'

/** A row that is new, and for an amount that the provider returned resolved from the beginning. */
export type NewAnomaly = Anomaly

const inserted = paymentAnomalies.recordSet()

/** The columns of `anomalyRow`, as json_to_recordset reads them. */
export const anomalyDefinition = inserted.text.definition

export const anomalyRow = (anomaly: NewAnomaly): object => inserted.row(anomaly)

/** A statement that inserts the anomalies of a relation. */
export const insertAnomaliesFrom = (given: string): string =>
  `insert into payment_anomalies (${inserted.text.names}) select ${inserted.text.names} from ${given}`

const changes = paymentAnomalies.changes(['amount', 'resolvedAt', 'resolution', 'booked'])

export type AnomalyChange = ChangeOf<typeof changes>

/** One row of `changeDefinition`. */
export const anomalyChangeRow = (anomaly: Anomaly, change: AnomalyChange): object =>
  changeRow(anomaly, changes.row(change))

/** A statement that updates the anomalies of a relation. */
export const updateAnomaliesFrom = (given: string): string => `
    update payment_anomalies as kept set ${changes.assignments}
    from ${given} where kept.account_id = ${given}.account_id and kept.id = ${given}.id`

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

/** The charges of a payment with a booked reversal that the provider has not returned in full, each with its reviews. */
export async function findReversedCharges(
  db: Queryable,
  paymentId: PaymentId,
): Promise<(Pick<Anomaly, 'accountId' | 'attemptId' | 'currency'> & { readonly anomalyIds: AnomalyId[] })[]> {
  const rows = await db
    .selectFrom('payment_anomalies')
    .selectAll()
    .where('payment_id', '=', uuidOf(paymentId))
    .where('refund_id', 'is', null)
    .where('booked_minor', 'is not', null)
    .execute()
  const booked = rows.map(paymentAnomalies.read)
  return [...Map.groupBy(booked, ({ attemptId }) => attemptId)]
    .filter(([attemptId]) => bookedOf(booked, attemptId, null) > 0n)
    .map(([, of]) => ({ ...(of[0] as Anomaly), anomalyIds: of.map(({ id }) => id) }))
}

import type { AccountId, AnomalyId, AttemptId, PaymentId, RefundId } from '@muripo/contract/ids'
import type { Money } from '@muripo/contract/money'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import type { EntityOf } from '../../../platform/db/table.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { type Attempt, type Payment, paidAmountOf, type Refund } from './payment.ts'
import { type AnomalyKind, paymentAnomalies } from './tables.ts'

export type Anomaly = EntityOf<typeof paymentAnomalies>

/** @returns whether the row is new: at most one anomaly of a kind is open for a charge or refund. */
export async function insertAnomaly(
  tx: Tx,
  anomaly: Omit<Anomaly, 'resolution' | 'booked' | 'resolvedAt'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('payment_anomalies')
    .values(paymentAnomalies.row(anomaly))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** The amount of an open reversal only grows: the database refuses any other change. */
export async function changeAnomalyAmount(tx: Tx, anomaly: Anomaly, amount: Money): Promise<void> {
  await tx
    .updateTable('payment_anomalies')
    .set({ amount_minor: amount.minor })
    .where('account_id', '=', uuidOf(anomaly.accountId))
    .where('id', '=', uuidOf(anomaly.id))
    .execute()
}

/** Inserts a row that is resolved from the beginning: an amount that the provider returned. */
export async function insertReturn(
  tx: Tx,
  {
    accountId,
    at,
    amount,
    ...returned
  }: Pick<Anomaly, 'accountId' | 'id' | 'paymentId' | 'attemptId' | 'providerStatus'> & {
    readonly amount: Money
    readonly at: Date
  },
): Promise<void> {
  const row = paymentAnomalies.row({
    ...returned,
    accountId,
    refundId: null,
    kind: 'returned',
    amount: null,
    currency: amount.currency,
    openedAt: at,
    resolvedAt: at,
    resolution: 'booked',
    booked: amount,
  })
  await tx.insertInto('payment_anomalies').values(row).execute()
}

export async function resolveAnomaly(
  tx: Tx,
  anomaly: Anomaly,
  {
    at,
    booked,
    resolution = booked === null ? 'nothing_moved' : 'booked',
  }: { at: Date; booked: Money | null; resolution?: Anomaly['resolution'] | undefined },
): Promise<void> {
  await tx
    .updateTable('payment_anomalies')
    .set({
      resolved_at: at,
      resolution,
      booked_minor: booked?.minor ?? null,
    })
    .where('account_id', '=', uuidOf(anomaly.accountId))
    .where('id', '=', uuidOf(anomaly.id))
    .execute()
}

/** Resolves the open anomalies of a refund that came back: no amount is booked on them. */
export async function resolveAnomaliesOf(
  tx: Tx,
  refund: Pick<Refund, 'accountId' | 'id'>,
  at: Date,
): Promise<void> {
  await tx
    .updateTable('payment_anomalies')
    .set({ resolved_at: at, resolution: 'nothing_moved' })
    .where('account_id', '=', uuidOf(refund.accountId))
    .where('refund_id', '=', uuidOf(refund.id))
    .where('resolved_at', 'is', null)
    .execute()
}

/** All anomalies of a payment, the oldest first. */
export async function anomaliesOf(
  db: Queryable,
  accountId: AccountId,
  paymentId: PaymentId,
): Promise<Anomaly[]> {
  const rows = await db
    .selectFrom('payment_anomalies')
    .selectAll()
    .where('account_id', '=', uuidOf(accountId))
    .where('payment_id', '=', uuidOf(paymentId))
    .orderBy('id')
    .execute()
  return rows.map(paymentAnomalies.read)
}

/**
 * The sums of the refunds of a charge. done: its provider has paid them. open: their outcome is not final. A failed refund counts once it is
 * found to have been paid after all.
 * @param before the refunds that were requested up to this time
 */
export async function returnedOf(
  tx: Tx,
  { accountId, id }: Pick<Attempt, 'accountId' | 'id'>,
  before: Date | null = null,
): Promise<{ readonly done: bigint; readonly open: bigint }> {
  const { rows } = await sql<{ done: bigint; open: bigint }>`
    select coalesce(sum(amount_minor) filter (where status = 'completed' or paid_late_at is not null), 0)::bigint as done,
      coalesce(sum(amount_minor) filter (where status not in ('completed', 'failed')), 0)::bigint as open
    from refunds
    where account_id = ${uuidOf(accountId)} and attempt_id = ${uuidOf(id)}
      and (${before}::timestamptz is null or created_at <= ${before})`.execute(tx)
  return rows[0] ?? { done: 0n, open: 0n }
}

/** The sum that operators have booked as reversed for a charge or one of its refunds, less the sum that was returned. */
export const bookedOf = (
  anomalies: readonly Anomaly[],
  attemptId: AttemptId,
  refundId: RefundId | null,
): bigint =>
  anomalies
    .filter((each) => each.attemptId === attemptId && each.refundId === refundId)
    .reduce((sum, { kind, booked }) => sum + (booked?.minor ?? 0n) * (kind === 'returned' ? -1n : 1n), 0n)

/** The sum of the refunds of a charge that hold its money: completed and open ones. */
export async function heldByRefunds(tx: Tx, accountId: AccountId, attemptId: AttemptId): Promise<bigint> {
  const { rows } = await sql<{ held: bigint }>`
    select coalesce(sum(amount_minor), 0)::bigint as held from refunds
    where account_id = ${uuidOf(accountId)} and attempt_id = ${uuidOf(attemptId)} and status <> 'failed'`.execute(
    tx,
  )
  return rows[0]?.held ?? 0n
}

/**
 * The reversed amount of a charge, as far as known: the bookings of operators on rows of any kind, and each open reversal with its amount,
 * or with the whole charge when it has none.
 */
export async function reversedOf(
  tx: Tx,
  payment: Pick<Payment, 'accountId' | 'id' | 'amount' | 'captured'>,
  charge: Pick<Attempt, 'id'>,
): Promise<bigint> {
  const anomalies = await anomaliesOf(tx, payment.accountId, payment.id)
  return anomalies
    .filter(
      ({ attemptId, refundId, kind, resolution }) =>
        attemptId === charge.id && refundId === null && resolution === null && takesBack.includes(kind),
    )
    .reduce(
      (sum, { amount }) => sum + (amount?.minor ?? paidAmountOf(payment).minor),
      bookedOf(anomalies, charge.id, null),
    )
}

const takesBack: readonly AnomalyKind[] = ['reversed', 'contradicted']

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

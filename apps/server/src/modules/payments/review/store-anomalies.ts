import type { AccountId, AttemptId, PaymentId, RefundId } from '@muripo/contract/ids'
import type { Money } from '@muripo/contract/money'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import type { EntityOf } from '../../../platform/db/table.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { type Attempt, type Payment, paidAmountOf } from '../payment.ts'
import { type AnomalyKind, paymentAnomalies } from '../tables.ts'

export type Anomaly = EntityOf<typeof paymentAnomalies>

/** @returns whether the row is new: at most one anomaly of a kind is open for a charge or refund. */
export async function insertAnomaly(
  tx: Tx,
  anomaly: Omit<Anomaly, 'resolution' | 'booked'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('payment_anomalies')
    .values(paymentAnomalies.row(anomaly))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** The amount of an open row only grows: the database refuses any other change. */
export async function raiseAnomalyAmount(tx: Tx, anomaly: Anomaly, amount: Money): Promise<void> {
  await tx
    .updateTable('payment_anomalies')
    .set({ amount_minor: amount.minor })
    .where('account_id', '=', uuidOf(anomaly.accountId))
    .where('id', '=', uuidOf(anomaly.id))
    .execute()
}

export async function resolveAnomaly(
  tx: Tx,
  anomaly: Anomaly,
  { at, booked }: { at: Date; booked: Money | null },
): Promise<void> {
  await tx
    .updateTable('payment_anomalies')
    .set({
      resolved_at: at,
      resolution: booked === null ? 'nothing_moved' : 'booked',
      booked_minor: booked?.minor ?? null,
    })
    .where('account_id', '=', uuidOf(anomaly.accountId))
    .where('id', '=', uuidOf(anomaly.id))
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
 * The sum of the refunds of a charge: completed, pending, or failed and still watched because the provider may have paid them. open: the part
 * of it whose outcome is not final.
 */
export async function returnedOf(
  tx: Tx,
  accountId: AccountId,
  attemptId: AttemptId,
): Promise<{ readonly returned: bigint; readonly open: bigint }> {
  const { rows } = await sql<{ returned: bigint; open: bigint }>`
    select coalesce(sum(amount_minor), 0)::bigint as returned,
      coalesce(sum(amount_minor) filter (where status <> 'completed' and paid_late_at is null), 0)::bigint as open
    from refunds
    where account_id = ${uuidOf(accountId)} and attempt_id = ${uuidOf(attemptId)}
      and (status <> 'failed' or paid_late_at is not null or next_watch_at is not null)`.execute(tx)
  return rows[0] ?? { returned: 0n, open: 0n }
}

/** The sum that operators have booked as reversed for a charge or one of its refunds. */
export const bookedOf = (
  anomalies: readonly Anomaly[],
  attemptId: AttemptId,
  refundId: RefundId | null,
): bigint =>
  anomalies
    .filter((each) => each.attemptId === attemptId && each.refundId === refundId)
    .reduce((sum, { booked }) => sum + (booked?.minor ?? 0n), 0n)

/** The sum of the completed refunds of a charge, less reversals of them. */
export async function paidBackOf(tx: Tx, accountId: AccountId, attemptId: AttemptId): Promise<bigint> {
  const { rows } = await sql<{ paid: bigint }>`
    select (coalesce((select sum(amount_minor) from refunds
        where account_id = ${uuidOf(accountId)} and attempt_id = ${uuidOf(attemptId)} and status = 'completed'), 0)
      - coalesce((select sum(booked_minor) from payment_anomalies
        where account_id = ${uuidOf(accountId)} and attempt_id = ${uuidOf(attemptId)} and refund_id is not null), 0))::bigint as paid`.execute(
    tx,
  )
  return rows[0]?.paid ?? 0n
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

import { RECENT_TRANSACTIONS } from '@muripo/contract/constants'
import { type AccountId, PaymentId } from '@muripo/contract/ids'
import { type Currency, money, toMajor } from '@muripo/contract/money'
import type { DashboardStats } from '@muripo/contract/stats'
import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'

/** The revenue in one currency in one period. */
export interface PeriodOfRevenue {
  /** The index of the period, from 0. */
  readonly nth: number
  readonly currency: Currency
  readonly revenue: bigint
  readonly completed: number
}

/** The revenue of periods that begin at these times; each ends where the next begins, and the last has no end. */
export async function revenueOfPeriods(
  db: Queryable,
  accountId: AccountId,
  starts: readonly Date[],
): Promise<PeriodOfRevenue[]> {
  const { rows } = await sql<{ nth: number; currency: Currency; revenue: bigint; completed: bigint }>`
    select width_bucket(completed_at, ${starts}::timestamptz[]) - 1 as nth, currency,
      sum(revenue_minor)::bigint as revenue, sum(completed)::bigint as completed
    from payment_revenue_figures
    where account_id = ${uuidOf(accountId)} and completed_at >= ${starts[0]}
    group by 1, 2 having sum(revenue_minor) <> 0 or sum(completed) <> 0`.execute(db)
  return rows.map((row) => ({ ...row, completed: Number(row.completed) }))
}

/** The number of payments and of completed payments by each method, the most used first. */
export async function methodCounts(
  db: Queryable,
  accountId: AccountId,
): Promise<{ method: string; count: number; completed: number }[]> {
  const { rows } = await sql<{ method: string; count: bigint; completed: bigint }>`
    select method, sum(payments)::bigint as count, coalesce(sum(payments) filter (where status = 'completed'), 0)::bigint as completed
    from payment_method_figures where account_id = ${uuidOf(accountId)}
    group by method having sum(payments) > 0 order by count desc, method`.execute(db)
  return rows.map((row) => ({
    method: row.method,
    count: Number(row.count),
    completed: Number(row.completed),
  }))
}

export async function recentPayments(
  db: Queryable,
  accountId: AccountId,
): Promise<DashboardStats['recentPayments']> {
  const rows = await db
    .selectFrom('payment_figures')
    .selectAll()
    .where('account_id', '=', uuidOf(accountId))
    .orderBy('id', 'desc')
    .limit(RECENT_TRANSACTIONS)
    .execute()
  return rows.map((row) => ({
    paymentId: idFrom(PaymentId, row.id ?? ''),
    createdAt: (row.created_at as Date).toISOString(),
    method: row.method,
    applicationName: row.application_name ?? '',
    amount: toMajor(money(row.amount_minor ?? 0n, row.currency as Currency)),
    currency: row.currency as Currency,
    status: (row.status ?? '').toUpperCase() as DashboardStats['recentPayments'][number]['status'],
    amountCaptured:
      row.captured_minor === null ? null : toMajor(money(row.captured_minor, row.currency as Currency)),
    amountRefunded: toMajor(money(row.refunded_minor ?? 0n, row.currency as Currency)),
  }))
}

/** The number of applications created on each of the days, as in revenueOfPeriods; earlier ones have -1. */
export async function applicationsByDay(
  db: Queryable,
  accountId: AccountId,
  midnights: readonly Date[],
): Promise<{ nth: number; applications: number }[]> {
  const { rows } = await sql<{ nth: number; applications: bigint }>`
    select width_bucket(created_at, ${midnights}::timestamptz[]) - 1 as nth, count(*) as applications
    from application_figures where account_id = ${uuidOf(accountId)} group by 1`.execute(db)
  return rows.map(({ nth, applications }) => ({ nth, applications: Number(applications) }))
}

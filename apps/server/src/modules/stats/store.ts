import { RECENT_TRANSACTIONS, REVENUE_DAYS } from '@muripo/contract/constants'
import { type MerchantId, PaymentId } from '@muripo/contract/ids'
import { type Currency, money, toMajor } from '@muripo/contract/money'
import type { DashboardStats } from '@muripo/contract/stats'
import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'

export interface DayOfRevenue {
  readonly day: string
  /** What was completed that day, by currency. */
  readonly earned: readonly {
    readonly currency: Currency
    readonly revenue: bigint
    readonly completed: number
  }[]
}

/** The last days, oldest first, each with what was completed on it. A day begins at midnight in the merchant's time zone. */
export async function revenueByDay(
  db: Queryable,
  merchantId: MerchantId,
  timeZone: string,
  now: Date,
): Promise<DayOfRevenue[]> {
  const { rows } = await sql<{
    day: string
    currency: Currency | null
    revenue: bigint
    completed: bigint
  }>`
    with days as materialized (
      select (${now}::timestamptz at time zone ${timeZone})::date - ${REVENUE_DAYS}::int + nth as day, nth
      from generate_series(1, ${REVENUE_DAYS}::int) as nth
    ), midnights as materialized (
      select array_agg(day::timestamp at time zone ${timeZone} order by nth) as midnights from days
    ), earned as (
      select width_bucket(completed_at, midnights) as nth, currency, sum(revenue_minor)::bigint as revenue,
        sum(completed)::bigint as completed
      from midnights join payment_revenue_figures on completed_at >= midnights[1]
      where merchant_id = ${uuidOf(merchantId)}
      group by 1, 2 having sum(revenue_minor) <> 0 or sum(completed) <> 0
    )
    select day::text, currency, revenue, completed from days left join earned using (nth) order by nth`.execute(
    db,
  )
  return [...Map.groupBy(rows, ({ day }) => day)].map(([day, ofDay]) => ({
    day,
    earned: ofDay.flatMap(({ currency, revenue, completed }) =>
      currency === null ? [] : [{ currency, revenue, completed: Number(completed) }],
    ),
  }))
}

/** How often each method was chosen, and how often it led to a completed payment, the most used first. */
export async function methodCounts(
  db: Queryable,
  merchantId: MerchantId,
): Promise<{ method: string; count: number; completed: number }[]> {
  const { rows } = await sql<{ method: string; count: bigint; completed: bigint }>`
    select method, sum(payments)::bigint as count, coalesce(sum(payments) filter (where status = 'completed'), 0)::bigint as completed
    from payment_method_figures where merchant_id = ${uuidOf(merchantId)}
    group by method having sum(payments) > 0 order by count desc, method`.execute(db)
  return rows.map((row) => ({
    method: row.method,
    count: Number(row.count),
    completed: Number(row.completed),
  }))
}

export async function recentPayments(
  db: Queryable,
  merchantId: MerchantId,
): Promise<DashboardStats['recentPayments']> {
  const rows = await db
    .selectFrom('payment_figures')
    .selectAll()
    .where('merchant_id', '=', uuidOf(merchantId))
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
  }))
}

export interface ApplicationCounts {
  readonly all: number
  readonly last7Days: number
  readonly previous7Days: number
}

export async function countApplications(
  db: Queryable,
  merchantId: MerchantId,
  timeZone: string,
  now: Date,
): Promise<ApplicationCounts> {
  const { rows } = await sql<{ all: bigint; last_7_days: bigint; previous_7_days: bigint }>`
    with made as (
      select (${now}::timestamptz at time zone ${timeZone})::date - (created_at at time zone ${timeZone})::date as days_ago
      from application_figures where merchant_id = ${uuidOf(merchantId)})
    select count(*) as all, count(*) filter (where days_ago between 0 and 6) as last_7_days,
      count(*) filter (where days_ago between 7 and 13) as previous_7_days
    from made`.execute(db)
  return {
    all: Number(rows[0]?.all ?? 0),
    last7Days: Number(rows[0]?.last_7_days ?? 0),
    previous7Days: Number(rows[0]?.previous_7_days ?? 0),
  }
}

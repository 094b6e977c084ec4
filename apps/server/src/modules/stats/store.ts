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
    with today as (select (${now}::timestamptz at time zone ${timeZone})::date as today),
    earned as (
      select (p.completed_at at time zone ${timeZone})::date as day, p.currency, sum(p.amount_minor - p.refunded_minor) as revenue,
        count(*) filter (where p.status = 'completed') as completed
      from payment_figures p
      where p.merchant_id = ${uuidOf(merchantId)}
        and p.completed_at >= (select (today - ${REVENUE_DAYS - 1}::int)::timestamp at time zone ${timeZone} from today)
      group by 1, 2)
    select (today - days_ago)::text as day, currency, revenue::bigint, completed
    from today cross join generate_series(0, ${REVENUE_DAYS - 1}::int) as days_ago
    left join earned on earned.day = today - days_ago
    order by days_ago desc`.execute(db)
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
    select method, count(*) as count, count(*) filter (where status = 'completed') as completed
    from payment_figures where merchant_id = ${uuidOf(merchantId)} and method is not null
    group by method order by count desc, method`.execute(db)
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
      from applications where merchant_id = ${uuidOf(merchantId)})
    select count(*) as all, count(*) filter (where days_ago between 0 and 6) as last_7_days,
      count(*) filter (where days_ago between 7 and 13) as previous_7_days
    from made`.execute(db)
  return {
    all: Number(rows[0]?.all ?? 0),
    last7Days: Number(rows[0]?.last_7_days ?? 0),
    previous7Days: Number(rows[0]?.previous_7_days ?? 0),
  }
}

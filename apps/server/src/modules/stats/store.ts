import { RECENT_TRANSACTIONS } from '@muripo/contract/constants'
import { type MerchantId, PaymentId } from '@muripo/contract/ids'
import { type Currency, money, toMajor } from '@muripo/contract/money'
import type { DashboardStats } from '@muripo/contract/stats'
import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'

/** Revenue by currency, today and over the last seven days, today included. A day begins at midnight in the merchant's time zone. */
export async function revenues(
  db: Queryable,
  merchantId: MerchantId,
  timeZone: string,
  now: Date,
): Promise<{ currency: Currency; today: bigint; last7Days: bigint }[]> {
  const { rows } = await sql<{ currency: Currency; today: bigint; last_7_days: bigint }>`
    with day as (select date_trunc('day', ${now}::timestamptz at time zone ${timeZone}) as local)
    select p.currency,
      coalesce(sum(p.amount_minor - p.refunded_minor)
        filter (where p.completed_at >= (select local at time zone ${timeZone} from day)), 0)::bigint as today,
      coalesce(sum(p.amount_minor - p.refunded_minor), 0)::bigint as last_7_days
    from payment_figures p
    where p.merchant_id = ${uuidOf(merchantId)}
      and p.completed_at >= (select (local - interval '6 days') at time zone ${timeZone} from day)
    group by p.currency`.execute(db)
  return rows.map((row) => ({ currency: row.currency, today: row.today, last7Days: row.last_7_days }))
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

export async function countApplications(db: Queryable, merchantId: MerchantId): Promise<number> {
  const row = await db
    .selectFrom('application_figures')
    .select('applications')
    .where('merchant_id', '=', uuidOf(merchantId))
    .executeTakeFirst()
  return Number(row?.applications ?? 0)
}

import type { AccountId } from '@muripo/contract/ids'
import { type Currency, type Money, money } from '@muripo/contract/money'
import { sql } from 'kysely'
import { type Queryable, runPrepared } from '../../platform/db/database.ts'
import { channels } from '../../platform/db/locks-and-channels.ts'
import { uuidOf } from '../../platform/ids.ts'

/**
 * Applies at most so many deltas to the totals, and publishes the changed payments with the commit. Returns the number of deltas: zero
 * while another process aggregates.
 */
export async function applyStatDeltas(db: Queryable, most: number): Promise<number> {
  const { rows } = await sql<{ applied: number }>`
    select coalesce(sum(deltas), 0)::int as applied, count(pg_notify(${channels.paymentsChanged},
      json_build_object('accountId', account_id, 'paymentIds', payment_ids, 'more', more)::text)) as published
    from aggregate_payment_stats(${most}::int)`.execute(db)
  return rows[0]?.applied ?? 0
}

/** Completed payments in one currency, less refunds. */
export interface Volume {
  readonly total: Money
  readonly payments: number
}

/** The totals are read, so the cost does not depend on the number of payments. */
export async function volumeOf(db: Queryable, accountId: AccountId): Promise<Volume[]> {
  const { rows } = await sql<{ currency: Currency; minor: bigint; payments: bigint }>`
    select currency, sum(revenue_minor)::bigint as minor, sum(completed)::bigint as payments from payment_revenue_figures
    where account_id = ${uuidOf(accountId)}
    group by currency having sum(completed) <> 0 or sum(revenue_minor) <> 0 order by currency`.execute(db)
  return rows.map(({ currency, minor, payments }) => ({
    total: money(minor, currency),
    payments: Number(payments),
  }))
}

/** The volume of all merchants with the environment of this gateway's mode, from the beginning of a day on. */
export async function volumeOfDay(db: Queryable, since: Date): Promise<Volume[]> {
  const { rows } = await sql<{ currency: Currency; minor: bigint; payments: bigint }>`
    select currency, sum(minor)::bigint as minor, sum(completed)::bigint as payments from environments e
    cross join lateral (
      select currency, sum(revenue_minor) as minor, sum(completed) as completed from payment_revenue_figures f
      where f.account_id = e.id and f.completed_at >= ${since} group by currency
    ) as figures where e.id = e.merchant_id group by currency order by currency`.execute(db)
  return rows.map(({ currency, minor, payments }) => ({
    total: money(minor, currency),
    payments: Number(payments),
  }))
}

const MOST_MISBOOKED = 20

/** Payments whose amounts disagree with the ledger or with their refunds. */
export async function findMisbooked(db: Queryable, accountId: AccountId): Promise<string[]> {
  const find = sql<{ payment_id: string }>`
    select payment_id from payment_ledger_drift where account_id = ${uuidOf(accountId)}
    union select payment_id from payment_transfers_drift where account_id = ${uuidOf(accountId)} order by payment_id limit ${MOST_MISBOOKED}`
  return (await runPrepared(db, 'find-misbooked', find)).map(({ payment_id }) => payment_id)
}

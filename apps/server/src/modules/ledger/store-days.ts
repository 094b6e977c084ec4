import type { AccountId } from '@muripo/contract/ids'
import type { Currency } from '@muripo/contract/money'
import { sql } from 'kysely'
import { type Queryable, runPrepared } from '../../platform/db/database.ts'
import { databaseNow } from '../../platform/db/database-time.ts'
import { uuidOf } from '../../platform/ids.ts'
import type { TransferKind } from './transfer.ts'

/** The open business day. */
export interface OpenDay {
  /** As 2026-11-28. */
  readonly date: string
  /** The time since its cut-off, in milliseconds; negative before it. */
  readonly overdueMs: number
}

/** @param cutOff as 20:00 */
export async function openDay(db: Queryable, cutOff: string): Promise<OpenDay> {
  const { rows } = await sql<OpenDay>`
    select business_date::text as date, (extract(epoch from
      ${databaseNow} - (business_date + ${cutOff}::time::interval) at time zone 'Africa/Harare') * 1000)::float8 as "overdueMs"
    from ledger_business_days where to_position is null`.execute(db)
  const [day] = rows
  if (!day) throw new Error('no business day is open')
  return day
}

/** Closes the open day after its cut-off, and empty ones up to the present. Returns their number; zero for a repetition. */
export async function closeDays(db: Queryable, cutOff: string): Promise<number> {
  const { rows } = await sql<{
    closed: number
  }>`select close_business_days(${cutOff}::time) as closed`.execute(db)
  return rows[0]?.closed ?? 0
}

/** The amount that a kind of transfer moved on merchant.payable in a day: positive ones are owed to merchants. */
interface DayRow {
  readonly date: string
  readonly closedAt: Date | null
  readonly payableOn: string | null
  readonly currency: Currency | null
  readonly kind: TransferKind | null
  readonly minor: bigint
}

/** The last days, the newest first, with what they moved on merchant.payable. Test payments are never added. */
export async function dayRows(db: Queryable, most: number): Promise<DayRow[]> {
  const { rows } = await sql<DayRow>`
    select day.business_date::text as date, day.closed_at as "closedAt",
      business_day_after(day.business_date, 1)::text as "payableOn", sums.currency, sums.kind, coalesce(sums.minor, 0)::bigint as minor
    from (select * from ledger_business_days order by business_date desc limit ${most}) as day
    left join lateral (
      select moved.currency, moved.kind, sum(moved.credit_minor - moved.debit_minor) as minor
      from ledger_day_sums moved join environments e on e.id = moved.account_id and e.kind <> 'tests'
      where moved.business_date = day.business_date and moved.code = 'merchant.payable' group by 1, 2
    ) as sums on true
    order by 1 desc, 4, 5`.execute(db)
  return rows
}

/** A sum of a business day that is not the sum of its transfers. */
export interface DayDiscrepancy {
  readonly date: string | null
  readonly code: string
  readonly currency: Currency
}

export const findDaySumsDrift = (db: Queryable, accountId: AccountId): Promise<DayDiscrepancy[]> =>
  runPrepared(
    db,
    'find-day-sums-drift',
    sql<DayDiscrepancy>`
      select distinct business_date::text as date, code, currency from ledger_day_sums_drift where account_id = ${uuidOf(accountId)}
      order by 1, 2, 3 limit 20`,
  )

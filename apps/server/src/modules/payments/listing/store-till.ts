import type { AccountId, ApplicationId } from '@muripo/contract/ids'
import { type Currency, limitToMinor, type Money, money } from '@muripo/contract/money'
import { sql } from 'kysely'
import type { Queryable } from '../../../platform/db/database.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { listedPayments } from '../payment/tables.ts'
import type { ListedPayment } from '../payment/wire.ts'
import { idBetween, ofKind, type Sql } from './store-conditions.ts'

/** The payments of a till: of a day that began at a time, of all applications or of some. */
export interface TillDay {
  readonly accountId: AccountId
  readonly applications: readonly ApplicationId[] | null
  /** In milliseconds since 1970. */
  readonly since: number
}

/** Ids sort by time of creation, so a day is a range of the primary key: its cost does not depend on the other days. */
const ofDay = ({ accountId, applications, since }: TillDay): Sql => sql`
  account_id = ${uuidOf(accountId)} and ${idBetween(sql`id`, { from: since, before: Number.POSITIVE_INFINITY })}
  and ${ofKind(applications === null ? {} : { applicationIds: applications.map(uuidOf) })}`

/** Null for a text that is neither an amount nor the end of a number. */
function matches(search: string): Sql | null {
  const typed = search.replaceAll(/[\s,]/g, '')
  const conditions: Sql[] = []
  if (/^\d{1,9}(\.\d{1,2})?$/.test(typed))
    conditions.push(sql`amount_minor = ${limitToMinor(Number(typed), 'at least').toString()}::bigint`)
  if (/^\d{4}$/.test(typed))
    conditions.push(sql`right(regexp_replace(customer_phone, '\\D', '', 'g'), 4) = ${typed}`)
  return conditions.length === 0 ? null : sql`(${sql.join(conditions, sql` or `)})`
}

const MOST = 200

/** The newest payments of the day. With a search, those of this amount, or of a number with these last four digits. */
export async function paymentsOfDay(db: Queryable, day: TillDay, search?: string): Promise<ListedPayment[]> {
  const matching = search === undefined ? sql`true` : matches(search)
  if (matching === null) return []
  const { rows } = await sql<Readonly<Record<string, unknown>>>`
    select ${listedPayments.selectList} from payments
    where ${ofDay(day)} and ${matching} order by id desc limit ${MOST}`.execute(db)
  return rows.map(listedPayments.read)
}

interface DayTotal {
  readonly total: Money
  readonly payments: number
}

/** The completed payments of the day in each currency, less what went back to payers. */
export async function totalsOfDay(db: Queryable, day: TillDay): Promise<DayTotal[]> {
  const { rows } = await sql<{ currency: Currency; minor: bigint; payments: bigint }>`
    select currency, count(*) filter (where status = 'completed') as payments,
      sum(coalesce(captured_minor, amount_minor) - refunded_minor - reversed_minor)::bigint as minor
    from payments where ${ofDay(day)} and completed_at is not null
    group by currency order by currency`.execute(db)
  return rows.map(({ currency, minor, payments }) => ({
    total: money(minor, currency),
    payments: Number(payments),
  }))
}

import type { AccountId } from '@muripo/contract/ids'
import { type Currency, type Money, money } from '@muripo/contract/money'
import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import { uuidOf } from '../../platform/ids.ts'

/** The volume of an account in one currency since its creation, less refunds. */
interface Volume {
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

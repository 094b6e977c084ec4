import { sql } from 'kysely'
import { enclosing, everything, isEverything, outside, type Range, splitIntoSteps } from './range.ts'
import type { Kind, Selection } from './selection.ts'
import { idBetween, ofKind, type Sql, timeBetween } from './store-conditions.ts'

const hour = 3_600_000
const spans = new Map([
  [32 * 24 * hour, '32 days'],
  [24 * hour, 'day'],
  [hour, 'hour'],
])

/** A query for the number of a merchant's payments. */
export const totalOf = (accountId: string): Sql => countOfKind(accountId, {}, everything)

/** A query for the number of payments that a selection keeps; null where the totals do not contain it. */
export const matchedFromTotals = ({
  accountId,
  kind,
  created,
  amounts,
  ids,
  fragment,
}: Selection): Sql | null =>
  ids === null && fragment === null && isEverything(amounts) ? countOfKind(accountId, kind, created) : null

/** The totals have whole hours only: the rest of a range at either end is counted in the payments. */
export function countOfKind(accountId: string, kind: Kind, created: Range): Sql {
  const ofMerchant = sql`account_id = ${accountId}::uuid and ${ofKind(kind)}`
  if (isEverything(created)) {
    return sumOf([
      sql`select payments from payment_counts where ${ofMerchant} and span = 'all'`,
      sql`select sign from payment_stat_deltas where ${ofMerchant}`,
    ])
  }
  const pieces = splitIntoSteps(created, [...spans.keys()])
  const whole = enclosing(pieces)
  return sumOf([
    ...pieces.map(
      (piece) => sql`select payments from payment_counts
        where ${ofMerchant} and span = ${spans.get(piece.width)} and ${timeBetween(sql`starts_at`, piece)}`,
    ),
    sql`select sign from payment_stat_deltas where ${ofMerchant} and ${timeBetween(sql`created_at`, whole)}`,
    ...outside(created, whole).map(
      (rest) => sql`select count(*) from payments where ${ofMerchant} and ${idBetween(sql`id`, rest)}`,
    ),
  ])
}

const sumOf = (numbers: readonly Sql[]): Sql =>
  sql`select coalesce(sum(number), 0) from (${sql.join(numbers, sql` union all `)}) as numbers (number)`

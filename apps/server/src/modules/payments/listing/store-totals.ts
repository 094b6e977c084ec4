import { sql } from 'kysely'
import { everything, isEmpty, isEverything, outside, type Range, wholeSteps } from './range.ts'
import type { Kind, Selection } from './selection.ts'
import { idBetween, ofKind, type Sql, timeBetween } from './store-conditions.ts'

const DAY_MS = 24 * 3_600_000

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
  terms,
}: Selection): Sql | null =>
  ids === null && fragment === null && terms === null && isEverything(amounts)
    ? countOfKind(accountId, kind, created)
    : null

/** The totals have whole days only: the rest of a range at either end is counted in the payments. */
export function countOfKind(accountId: string, kind: Kind, created: Range): Sql {
  const ofMerchant = sql`account_id = ${accountId}::uuid and ${ofKind(kind)}`
  if (isEverything(created)) {
    return sumOf([
      sql`select payments from payment_counts where ${ofMerchant} and starts_at = '-infinity'`,
      sql`select sign from payment_stat_images where ${ofMerchant}`,
    ])
  }
  const days = wholeSteps(created, DAY_MS)
  return sumOf([
    ...(isEmpty(days)
      ? []
      : [
          sql`select payments from payment_counts
            where ${ofMerchant} and starts_at > '-infinity' and ${timeBetween(sql`starts_at`, days)}`,
          sql`select sign from payment_stat_images where ${ofMerchant} and ${timeBetween(sql`created_at`, days)}`,
        ]),
    ...outside(created, days).map(
      (rest) => sql`select count(*) from payments where ${ofMerchant} and ${idBetween(sql`id`, rest)}`,
    ),
  ])
}

const sumOf = (numbers: readonly Sql[]): Sql =>
  sql`select coalesce(sum(number), 0) from (${sql.join(numbers, sql` union all `)}) as numbers (number)`

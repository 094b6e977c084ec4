import { sql } from 'kysely'
import type { Queryable } from '../../../platform/db/database.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { COUNT_LIMIT, type DashboardFilter, type Selection, selectionOf } from './selection.ts'
import type { Sql } from './store-conditions.ts'
import { matchingIds } from './store-matching.ts'
import { findTerms } from './store-search.ts'
import { matchedFromTotals, totalOf } from './store-totals.ts'

export interface Counts {
  readonly total: number
  readonly matched: number
  /** More payments match than `matched`. */
  readonly hasMoreMatches: boolean
}

/**
 * The number of payments of the merchant, and of those that the filter keeps.
 * @param page as listForDashboard returned it: a first page that is not full needs no second scan
 */
export async function countForDashboard(
  db: Queryable,
  filter: DashboardFilter,
  page?: readonly unknown[],
): Promise<Counts> {
  const total = totalOf(uuidOf(filter.accountId))
  const selection = selectionOf(filter)
  if (selection === null) return numbersOf(db, total, sql`select 0`)
  const all: Selection = { ...selection, olderThan: null }
  const exact = matchedFromTotals(all)
  if (exact !== null) return numbersOf(db, total, exact)
  const isWhole = page !== undefined && selection.olderThan === null && page.length <= filter.query.limit
  if (isWhole) return numbersOf(db, total, sql`select ${page.length}::int`)
  const terms = await findTerms(db, all)
  if (terms === null && all.isNoId) return numbersOf(db, total, sql`select 0`)
  const ids = terms?.countedIds(all) ?? (await matchingIds(db, all, COUNT_LIMIT + 1, 'any'))
  const { matched, ...counts } = await numbersOf(db, total, sql`select count(*) from (${ids}) as found`)
  return {
    ...counts,
    matched: Math.min(Math.max(matched, page?.length ?? 0), COUNT_LIMIT),
    hasMoreMatches: matched > COUNT_LIMIT || terms?.isFrequent === true,
  }
}

async function numbersOf(db: Queryable, total: Sql, matched: Sql): Promise<Counts> {
  const { rows } = await sql<{ total: bigint; matched: bigint }>`
    select (${total})::bigint as total, (${matched})::bigint as matched`.execute(db)
  return { total: Number(rows[0]?.total ?? 0), matched: Number(rows[0]?.matched ?? 0), hasMoreMatches: false }
}

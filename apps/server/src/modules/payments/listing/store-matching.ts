import { sql } from 'kysely'
import type { Queryable } from '../../../platform/db/database.ts'
import { type FragmentRanges, indexRangesOf } from './id-search.ts'
import { isEverything } from './range.ts'
import { isAnyKind, type Selection } from './selection.ts'
import {
  contains,
  daysOf,
  idWithin,
  inIdRange,
  kindsOf,
  matchesFilters,
  matchesOtherFilters,
  type Sql,
} from './store-conditions.ts'
import { countOfKind } from './store-totals.ts'

/** A count needs no order. */
export type Order = 'newest first' | 'any'

/** A query for the ids of payments that a selection keeps, at most so many; in the first order they are the newest. */
export async function matchingIds(
  db: Queryable,
  selection: Selection,
  most: number,
  order: Order = 'newest first',
): Promise<Sql> {
  const { kind, amounts } = selection
  const indexed = await indexedIds(db, selection)
  if (indexed !== null)
    return sql`select id from (${indexed}) as found
      where ${matchesOtherFilters(sql`found.id`, selection)} order by id desc limit ${most}`
  if (isAnyKind(kind)) return isEverything(amounts) ? scan(selection, most) : perDay(selection, most, order)
  if (isEverything(amounts) || (await isRareKind(db, selection))) return perKind(selection, most)
  return perDay(selection, most, order)
}

/** A query for the ids that begin or end with the fragment; null for a fragment that may also be in the middle of an id. */
async function indexedIds(db: Queryable, { accountId, fragment }: Selection): Promise<Sql | null> {
  const ranges = fragment === null ? null : indexRangesOf(fragment)
  if (fragment === null || ranges === null) return null
  const ids = sql.join(indexedIdQueries(accountId, fragment, ranges), sql` union `)
  const { rows } = await sql<{ is_indexed: boolean }>`select exists (${ids}) as is_indexed`.execute(db)
  return rows[0]?.is_indexed ? ids : null
}

/** id_ending reads the last letters of an id only: a longer fragment is compared as well. */
export const indexedIdQueries = (
  accountId: string,
  fragment: string,
  { prefix, ending }: FragmentRanges,
): Sql[] => [
  sql`select id from payments
    where account_id = ${accountId}::uuid
      and id_ending(id) = ${ending}::bigint
      and ${contains(sql`id`, fragment)}`,
  ...(prefix === null
    ? []
    : [sql`select id from payments where account_id = ${accountId}::uuid and ${idWithin(prefix)}`]),
]

/** Up to this number of payments of a kind, a filter of amounts reads each of them rather than the days one by one. */
const RARE_KIND_LIMIT = 20_000

async function isRareKind(db: Queryable, { accountId, kind, created }: Selection): Promise<boolean> {
  const { rows } = await sql<{
    is_rare: boolean
  }>`select (${countOfKind(accountId, kind, created)}) <= ${RARE_KIND_LIMIT} as is_rare`.execute(db)
  return rows[0]?.is_rare ?? false
}

/** Reads the ids of the merchant, newest first. A fragment that few ids contain reaches the time limit of a statement. */
const scan = (selection: Selection, most: number): Sql => sql`
  select id from payments where ${inIdRange(selection)} and ${matchesFilters(selection)} order by id desc limit ${most}`

/** Reads the newest payments of each kind. */
const perKind = (selection: Selection, most: number): Sql => sql`
  select newest.id from (${kindsOf(selection)}) as kind
  cross join lateral (
    select id from payments
    where ${inIdRange(selection)} and application_id = kind.application_id and status = kind.status
      and index_method = kind.index_method and ${matchesFilters(selection)}
    order by id desc limit ${most}
  ) as newest
  order by newest.id desc limit ${most}`

/** Reads one day after the other, the last one first, until the limit. The index of amounts has the ids of a day in another order. */
const perDay = (selection: Selection, most: number, order: Order): Sql => sql`
  select of_day.id from (${daysOf(selection)}) as days (day)
  cross join lateral (
    select id from payments where ${inIdRange(selection)} and id_day(id) = days.day and ${matchesFilters(selection)}
    ${order === 'any' ? sql`` : sql`order by id desc`} limit ${most}
  ) as of_day
  limit ${most}`

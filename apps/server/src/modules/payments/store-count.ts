import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import { uuidOf } from '../../platform/ids.ts'
import { cover, everything, hull, isEverything, type Range, without } from './range.ts'
import { type DashboardFilter, isAnyKind, type Kind, type Selection, selectionOf } from './selection.ts'
import {
  amountBetween,
  daysOf,
  fitsBesides,
  idBetween,
  inOrder,
  ofKind,
  type Sql,
  selected,
  timeBetween,
} from './store-conditions.ts'
import { countOfLetters, hasIndex, withFragment } from './store-search.ts'

const hour = 3_600_000
const spans = new Map([
  [32 * 24 * hour, '32 days'],
  [24 * hour, 'day'],
  [hour, 'hour'],
])
/** The widths of payment_amounts. */
const amountWidths = [1_000_000, 10_000, 100, 1]

/** How many payments the merchant has, and how many of them the filter keeps: both exact, of one moment. */
export async function countForDashboard(
  db: Queryable,
  filter: DashboardFilter,
): Promise<{ total: number; matched: number }> {
  const page = selectionOf(filter)
  const selection = page && { ...page, olderThan: null }
  const total = ofKinds(uuidOf(filter.merchantId), {}, everything)
  if (selection === null) return numbersOf(db, total, sql`select 0`)
  const kept = fromTotals(selection)
  if (kept !== null) return numbersOf(db, total, kept)
  const { merchantId, fragment } = selection
  if (fragment !== null && hasIndex(fragment)) {
    return numbersOf(db, total, among(await withFragment(db, merchantId, fragment), selection))
  }
  return numbersOf(db, total, isEverything(selection.amounts) ? oneByOne(selection) : dayByDay(selection))
}

async function numbersOf(
  db: Queryable,
  total: Sql,
  matched: Sql,
): Promise<{ total: number; matched: number }> {
  const { rows } = await sql<{ total: bigint; matched: bigint }>`
    select (${total})::bigint as total, (${matched})::bigint as matched`.execute(db)
  return { total: Number(rows[0]?.total ?? 0), matched: Number(rows[0]?.matched ?? 0) }
}

/** A query for the number where the totals can tell it, and null where it has to be counted. */
function fromTotals({ merchantId, kind, created, amounts, ids, fragment }: Selection): Sql | null {
  if (ids !== null) return null
  if (fragment !== null) {
    const isAlone = isAnyKind(kind) && isEverything(created) && isEverything(amounts)
    return isAlone && !hasIndex(fragment) ? countOfLetters(merchantId, fragment) : null
  }
  if (isEverything(amounts)) return ofKinds(merchantId, kind, created)
  return isEverything(created) ? ofAmounts(merchantId, kind, amounts) : null
}

/** Whether there are much fewer of the kind than of the amount. */
export async function isKindRarer(
  db: Queryable,
  { merchantId, kind, created, amounts }: Selection,
): Promise<boolean> {
  const { rows } = await sql<{ is_rarer: boolean }>`
    select (${ofKinds(merchantId, kind, created)}) * 5 < (${ofAmounts(merchantId, {}, amounts)}) as is_rarer`.execute(
    db,
  )
  return rows[0]?.is_rarer ?? false
}

/** What a range has of no whole hour, at either end, is not in the totals. */
function ofKinds(merchantId: string, kind: Kind, created: Range): Sql {
  const ofMerchant = sql`merchant_id = ${merchantId}::uuid and ${ofKind(kind)}`
  if (isEverything(created)) {
    return sumOf([
      sql`select payments from payment_counts where ${ofMerchant} and span = 'all'`,
      sql`select sign from payment_changes where ${ofMerchant}`,
    ])
  }
  const pieces = cover(created, [...spans.keys()])
  const whole = hull(pieces)
  return sumOf([
    ...pieces.map(
      (piece) => sql`select payments from payment_counts
        where ${ofMerchant} and span = ${spans.get(piece.width)} and ${timeBetween(sql`starts_at`, piece)}`,
    ),
    sql`select sign from payment_changes where ${ofMerchant} and ${timeBetween(sql`created_at`, whole)}`,
    ...without(created, whole).map(
      (rest) => sql`select count(*) from payments where ${ofMerchant} and ${idBetween(sql`id`, rest)}`,
    ),
  ])
}

function ofAmounts(merchantId: string, kind: Kind, amounts: Range): Sql {
  const ofMerchant = sql`merchant_id = ${merchantId}::uuid and ${ofKind(kind)}`
  return sumOf([
    ...cover(amounts, amountWidths).map(
      (piece) => sql`select payments from payment_amounts
        where ${ofMerchant} and width = ${piece.width} and ${amountBetween(sql`from_minor`, piece)}`,
    ),
    sql`select sign from payment_changes where ${ofMerchant} and ${amountBetween(sql`amount_minor`, amounts)}`,
  ])
}

const sumOf = (numbers: readonly Sql[]): Sql =>
  sql`select coalesce(sum(number), 0) from (${sql.join(numbers, sql` union all `)}) as numbers (number)`

const oneByOne = (selection: Selection): Sql =>
  sql`select count(*) from payments where ${inOrder(selection)} and ${selected(selection)}`

const dayByDay = (selection: Selection): Sql =>
  sql`${oneByOne(selection)} and id_day(id) = any (array(${daysOf(selection)}))`

const among = (ids: Sql, selection: Selection): Sql =>
  sql`select count(*) from (${ids}) as found where ${fitsBesides(sql`found.id`, selection)}`

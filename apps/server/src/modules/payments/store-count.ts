import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import { uuidOf } from '../../platform/ids.ts'
import { cover, everything, hull, isEverything, type Range, without } from './range.ts'
import { type DashboardFilter, isAnyKind, type Kind, type Selection, selectionOf } from './selection.ts'
import {
  amountBetween,
  daysOf,
  idBetween,
  inOrder,
  kindsOf,
  ofKind,
  ofOneKind,
  type Sql,
  selected,
  timeBetween,
} from './store-conditions.ts'

const hour = 3_600_000
const day = 24 * hour
/** The widths of payment_amounts. */
const amountWidths = [1_000_000, 1000, 1]

/** How many payments the merchant has, and how many of them the filter keeps: both exact, of one moment. */
export async function countForDashboard(
  db: Queryable,
  filter: DashboardFilter,
): Promise<{ total: number; matched: number }> {
  const selection = selectionOf(filter)
  const total = ofKinds(uuidOf(filter.merchantId), {}, everything)
  const matched = selection === null ? sql`0` : await countOf(db, { ...selection, olderThan: null })
  const { rows } = await sql<{ total: bigint; matched: bigint }>`
    select (${total})::bigint as total, (${matched})::bigint as matched`.execute(db)
  return { total: Number(rows[0]?.total ?? 0), matched: Number(rows[0]?.matched ?? 0) }
}

/** A query for one number, from the totals wherever they can tell. */
async function countOf(db: Queryable, selection: Selection): Promise<Sql> {
  const { merchantId, kind, created, amounts, ids, fragment } = selection
  if (fragment !== null || ids !== null) return oneByOne(selection)
  if (isEverything(amounts)) return ofKinds(merchantId, kind, created)
  if (isAnyKind(kind) && isEverything(created)) return ofAmounts(merchantId, amounts)
  return (await isKindRarer(db, selection)) ? amongKinds(selection) : amongAmounts(selection)
}

/**
 * Whether those of the kind are so few beside those of the amount that looking each of them up in the table is less work than passing
 * over all of the amount in their index.
 */
export async function isKindRarer(
  db: Queryable,
  { merchantId, kind, created, amounts }: Selection,
): Promise<boolean> {
  const { rows } = await sql<{ is_rarer: boolean }>`
    select (${ofKinds(merchantId, kind, created)}) * 5 < (${ofAmounts(merchantId, amounts)}) as is_rarer`.execute(
    db,
  )
  return rows[0]?.is_rarer ?? false
}

/** Whole days and whole hours are in the totals; the rest of a range, less than an hour at either end, is counted. */
function ofKinds(merchantId: string, kind: Kind, created: Range): Sql {
  const ofMerchant = sql`merchant_id = ${merchantId}::uuid and ${ofKind(kind)}`
  if (isEverything(created)) {
    return sumOf([
      sql`select payments from payment_counts where ${ofMerchant} and span = 'all'`,
      sql`select sign from payment_changes where ${ofMerchant}`,
    ])
  }
  const pieces = cover(created, [day, hour])
  const whole = hull(pieces)
  return sumOf([
    ...pieces.map(
      (piece) => sql`select payments from payment_counts
        where ${ofMerchant} and span = ${piece.width === day ? 'day' : 'hour'} and ${timeBetween(sql`starts_at`, piece)}`,
    ),
    sql`select sign from payment_changes where ${ofMerchant} and ${timeBetween(sql`created_at`, whole)}`,
    ...without(created, whole).map(
      (rest) => sql`select count(*) from payments where ${ofMerchant} and ${idBetween(sql`id`, rest)}`,
    ),
  ])
}

function ofAmounts(merchantId: string, amounts: Range): Sql {
  return sumOf([
    ...cover(amounts, amountWidths).map(
      (piece) => sql`select payments from payment_amounts
        where merchant_id = ${merchantId}::uuid and width = ${piece.width} and ${amountBetween(sql`from_minor`, piece)}`,
    ),
    sql`select sign from payment_changes
      where merchant_id = ${merchantId}::uuid and ${amountBetween(sql`amount_minor`, amounts)}`,
  ])
}

const sumOf = (numbers: readonly Sql[]): Sql =>
  sql`select coalesce(sum(number), 0) from (${sql.join(numbers, sql` union all `)}) as numbers (number)`

const oneByOne = (selection: Selection): Sql =>
  sql`select count(*) from payments where ${inOrder(selection)} and ${selected(selection)}`

const amongAmounts = (selection: Selection): Sql =>
  sql`${oneByOne(selection)} and id_day(id) = any (array(${daysOf(selection)}))`

const amongKinds = (selection: Selection): Sql => sql`
  select coalesce(sum(number), 0) from (${kindsOf(selection)}) as kind
  cross join lateral (${ofOneKind(
    (condition) => sql`
    select count(*) from payments where ${inOrder(selection)} and ${condition} and ${amountBetween(sql`amount_minor`, selection.amounts)}`,
  )}
  ) as numbers (number)`

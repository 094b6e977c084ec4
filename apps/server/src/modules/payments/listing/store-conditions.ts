import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { firstUuidAt } from '../../../platform/ids.ts'
import { bitsOf, type Ids } from './id-search.ts'
import { isEmpty, isEverything, type Range } from './range.ts'
import { isAnyKind, type Kind, type Selection } from './selection.ts'

export type Sql = RawBuilder<unknown>
type Condition = RawBuilder<SqlBool>

const all = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)

function between(column: Sql, { from, before }: Range, toSql: (end: number) => Sql): Condition {
  if (isEmpty({ from, before })) return sql`false`
  const ends: Condition[] = []
  if (Number.isFinite(from)) ends.push(sql`${column} >= ${toSql(from)}`)
  if (Number.isFinite(before)) ends.push(sql`${column} < ${toSql(before)}`)
  return all(ends)
}

export const timeBetween = (column: Sql, range: Range): Condition =>
  between(column, range, (ms) => sql`to_timestamp(${ms}::float8 / 1000)`)

export const amountBetween = (column: Sql, range: Range): Condition =>
  between(column, range, (minor) => sql`${minor}::bigint`)

/** The time of the id is within the range. */
export const idBetween = (column: Sql, range: Range): Condition =>
  between(column, range, (ms) => sql`${firstUuidAt(ms)}::uuid`)

export const idWithin = ({ least, most }: Ids): Condition => sql`id between ${least}::uuid and ${most}::uuid`

/** Equality for a single id, so that the columns after it in an index stay in order. */
const isOneOf = (ids: readonly string[]): Condition =>
  ids.length === 1 ? sql`application_id = ${ids[0]}::uuid` : sql`application_id = any(${[...ids]}::uuid[])`

/** A condition on payments, payment_counts or payment_stat_images. */
export function ofKind({ applicationIds, status, method }: Kind): Condition {
  const conditions: Condition[] = []
  if (applicationIds !== undefined) conditions.push(isOneOf(applicationIds))
  if (status !== undefined) conditions.push(sql`status = ${status}`)
  if (method !== undefined) conditions.push(sql`method = ${method}`)
  return all(conditions)
}

function idMatches({ created, ids, olderThan }: Selection): Condition {
  const conditions = [idBetween(sql`id`, created)]
  if (ids !== null) conditions.push(idWithin(ids))
  if (olderThan !== null) conditions.push(sql`id < ${olderThan}::uuid`)
  return all(conditions)
}

/** The payments of the merchant whose id matches: a range of the primary key, and of the last column of other indexes. */
export const inIdRange = (selection: Selection): Condition =>
  sql`account_id = ${selection.accountId}::uuid and ${idMatches(selection)}`

/** The filters besides the range of ids. */
export function matchesFilters({ kind, amounts, fragment }: Selection): Condition {
  const conditions = [ofKind(kind), amountBetween(sql`amount_minor`, amounts)]
  if (fragment !== null) conditions.push(contains(sql`id`, fragment))
  return all(conditions)
}

/** All filters but the fragment. `offset 0` makes the planner look the payment up by its key. */
export function matchesOtherFilters(id: Sql, selection: Selection): Condition {
  const rest = { ...selection, fragment: null }
  const isAlone = isAnyKind(rest.kind) && isEverything(rest.amounts)
  if (isAlone) return idMatches(rest)
  return sql`${idMatches(rest)} and exists (
    select from payments where account_id = ${rest.accountId}::uuid and payments.id = ${id} and ${matchesFilters(rest)} offset 0)`
}

/** The letters of an id contain the fragment. They are compared as bits, five for each letter, which is faster than text. */
export function contains(id: Sql, fragment: string): Condition {
  const bits = sql.raw(`B'${bitsOf(fragment)}'`)
  const places = Array.from(
    { length: 27 - fragment.length },
    (_, letters) =>
      sql<SqlBool>`substring(bits from ${sql.raw(`${1 + 5 * letters} for ${5 * fragment.length}`)}) = ${bits}`,
  )
  return sql`(select ${sql.join(places, sql` or `)}
    from (select B'00' || ('x' || encode(uuid_send(${id}), 'hex'))::bit(128) as bits offset 0) as id_bits)`
}

/** The kinds that payments of the selection have: application_id, status and index_method. */
export const kindsOf = ({ accountId, kind }: Selection): Sql => sql`
  select application_id, status, ${indexMethod} from payment_counts
  where account_id = ${accountId}::uuid and starts_at = '-infinity' and ${ofKind(kind)}
  union
  select application_id, status, ${indexMethod} from payment_stat_deltas
  where account_id = ${accountId}::uuid and ${ofKind(kind)}`

/** The value of payments.index_method. */
const indexMethod = sql`case status when 'pending' then '' else coalesce(method, '') end as index_method`

/** The days from the last to the first payment in the range of ids, counted like id_day. */
export const daysOf = (selection: Selection): Sql => sql`
  select generate_series(
    (select id_day(id) from payments where ${inIdRange(selection)} order by id desc limit 1),
    (select id_day(id) from payments where ${inIdRange(selection)} order by id limit 1), -1)`

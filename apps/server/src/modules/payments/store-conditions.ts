import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { firstUuidAt } from '../../platform/ids.ts'
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

/** An id that was made at one of these times. */
export const idBetween = (column: Sql, range: Range): Condition =>
  between(column, range, (ms) => sql`${firstUuidAt(ms)}::uuid`)

export const idWithin = ({ least, most }: Ids): Condition => sql`id between ${least}::uuid and ${most}::uuid`

/** Equality where it can be: it is what an index begins with. */
const isOneOf = (ids: readonly string[]): Condition =>
  ids.length === 1 ? sql`application_id = ${ids[0]}::uuid` : sql`application_id = any(${[...ids]}::uuid[])`

/** On payments, and on whatever is kept of them by kind. */
export function ofKind({ applicationIds, status, method }: Kind): Condition {
  const conditions: Condition[] = []
  if (applicationIds !== undefined) conditions.push(isOneOf(applicationIds))
  if (status !== undefined) conditions.push(sql`status = ${status}`)
  if (method !== undefined) conditions.push(sql`method = ${method}`)
  return all(conditions)
}

function idFits({ created, ids, olderThan }: Selection): Condition {
  const conditions = [idBetween(sql`id`, created)]
  if (ids !== null) conditions.push(idWithin(ids))
  if (olderThan !== null) conditions.push(sql`id < ${olderThan}::uuid`)
  return all(conditions)
}

/** Of the merchant's payments those with such an id, which is a range of the primary key and the end of other keys. */
export const inOrder = (selection: Selection): Condition =>
  sql`merchant_id = ${selection.merchantId}::uuid and ${idFits(selection)}`

/** What is left to ask of a payment whose id fits. */
export function selected({ kind, amounts, fragment }: Selection): Condition {
  const conditions = [ofKind(kind), amountBetween(sql`amount_minor`, amounts)]
  if (fragment !== null) conditions.push(contains(sql`id`, fragment))
  return all(conditions)
}

/** On the id of a payment that contains the fragment: everything else. It is looked up by its key, whatever the planner expects. */
export function fitsBesides(id: Sql, selection: Selection): Condition {
  const rest = { ...selection, fragment: null }
  const isAlone = isAnyKind(rest.kind) && isEverything(rest.amounts)
  if (isAlone) return idFits(rest)
  return sql`${idFits(rest)} and exists (
    select from payments where merchant_id = ${rest.merchantId}::uuid and payments.id = ${id} and ${selected(rest)} offset 0)`
}

/** An id has the letters of the fragment in a row. It is read as bits, five for each letter, a tenth of the work of writing it out. */
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

/** The kinds of payments that there are among those selected, as application_id, status and method, which is empty for none. */
export const kindsOf = ({ merchantId, kind }: Selection): Sql => sql`
  select application_id, status, method from payment_counts
  where merchant_id = ${merchantId}::uuid and span = 'all' and ${ofKind(kind)}
  union
  select application_id, status, coalesce(method, '') from payment_changes
  where merchant_id = ${merchantId}::uuid and sign = 1 and ${ofKind(kind)}`

/** What follows from a row `kind` of these: a payment without a method needs a branch of its own to be found in payments_by_kind. */
export const ofOneKind = (query: (condition: Condition) => Sql): Sql => {
  const same = sql`application_id = kind.application_id and status = kind.status`
  return sql`(${query(sql`${same} and method = kind.method`)}) union all
    (${query(sql`${same} and method is null and kind.method = ''`)})`
}

/** The days, as id_day counts them, on which the merchant had payments with such ids, and those in between, the last one first. */
export const daysOf = (selection: Selection): Sql => sql`
  select generate_series(
    (select id_day(id) from payments where ${inOrder(selection)} order by id desc limit 1),
    (select id_day(id) from payments where ${inOrder(selection)} order by id limit 1), -1)`

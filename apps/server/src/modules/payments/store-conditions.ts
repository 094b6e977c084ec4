import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { firstUuidAt } from '../../platform/ids.ts'
import type { Range } from './range.ts'
import type { Kind, Selection } from './selection.ts'

export type Sql = RawBuilder<unknown>
type Condition = RawBuilder<SqlBool>

const all = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)

function between(column: Sql, { from, before }: Range, toSql: (end: number) => Sql): Condition {
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

/** On payments, and on whatever is kept of them by kind. */
export function ofKind({ applicationId, status, method }: Kind): Condition {
  const conditions: Condition[] = []
  if (applicationId !== undefined) conditions.push(sql`application_id = ${applicationId}::uuid`)
  if (status !== undefined) conditions.push(sql`status = ${status}`)
  if (method !== undefined) conditions.push(sql`method = ${method}`)
  return all(conditions)
}

/** Of the merchant's payments those with such an id, which is a range of the primary key and the end of other keys. */
export function inOrder({ merchantId, created, ids, olderThan }: Selection): Condition {
  const conditions = [sql<SqlBool>`merchant_id = ${merchantId}::uuid`, idBetween(sql`id`, created)]
  if (ids !== null) conditions.push(sql`id between ${ids.least}::uuid and ${ids.most}::uuid`)
  if (olderThan !== null) conditions.push(sql`id < ${olderThan}::uuid`)
  return all(conditions)
}

/** What is left to ask of a payment whose id fits. */
export function selected({ kind, amounts, fragment }: Selection): Condition {
  const conditions = [ofKind(kind), amountBetween(sql`amount_minor`, amounts)]
  if (fragment !== null) conditions.push(sql`typeid_suffix(id) like ${`%${fragment}%`}`)
  return all(conditions)
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

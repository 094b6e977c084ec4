import type { MerchantId, PaymentId } from '@muripo/contract/ids'
import { limitToMinor } from '@muripo/contract/money'
import type { DashboardPaymentQuery, PublicPaymentQuery } from '@muripo/contract/payments'
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import type { Payments as PaymentRow } from '../../platform/db/schema.ts'
import { uuidOf } from '../../platform/ids.ts'
import type { KeyOwner } from '../applications/index.ts'
import type { Payment } from './payment.ts'
import { toPayment } from './store.ts'

export interface NamedPayment {
  readonly payment: Payment
  readonly applicationName: string
}

/** Whose payments, which of them, and the time zone in which the filter's days begin. */
export interface DashboardFilter {
  readonly merchantId: MerchantId
  readonly query: DashboardPaymentQuery
  readonly timeZone: string
}

/**
 * The payments that a filter keeps, newest first, one more than the limit when there are more. Ids sort by time of creation, so the
 * primary key itself is the order and the cursor.
 */
export async function listForDashboard(db: Queryable, filter: DashboardFilter): Promise<NamedPayment[]> {
  const { cursor, limit } = filter.query
  const rows = await named(db, filter.merchantId)
    .where(keeps(filter))
    .$if(cursor !== undefined, (query) => query.where('p.id', '<', cursor ? uuidOf(cursor) : ''))
    .limit(limit + 1)
    .execute()
  return rows.map(toNamed)
}

/** Those of these payments that the merchant has, newest first. */
export async function findForDashboard(
  db: Queryable,
  merchantId: MerchantId,
  ids: readonly PaymentId[],
): Promise<NamedPayment[]> {
  const rows = await named(db, merchantId).where('p.id', 'in', ids.map(uuidOf)).execute()
  return rows.map(toNamed)
}

const named = (db: Queryable, merchantId: MerchantId) =>
  db
    .selectFrom('payments as p')
    .innerJoin('applications as a', (join) =>
      join.onRef('a.merchant_id', '=', 'p.merchant_id').onRef('a.id', '=', 'p.application_id'),
    )
    .selectAll('p')
    .select('a.name as application_name')
    .where('p.merchant_id', '=', uuidOf(merchantId))
    .orderBy('p.id', 'desc')

const toNamed = ({ application_name, ...row }: Selectable<PaymentRow> & { application_name: string }) => ({
  payment: toPayment(row),
  applicationName: application_name,
})

/** How many payments the merchant has, and how many of them the filter keeps. */
export async function countForDashboard(
  db: Queryable,
  filter: DashboardFilter,
): Promise<{ total: number; matched: number }> {
  const { rows } = await sql<{ total: bigint; matched: bigint }>`
    select count(*) as total, count(*) filter (where ${keeps(filter)}) as matched
    from payments p where p.merchant_id = ${uuidOf(filter.merchantId)}`.execute(db)
  return { total: Number(rows[0]?.total ?? 0), matched: Number(rows[0]?.matched ?? 0) }
}

function keeps({ query, timeZone }: DashboardFilter): RawBuilder<SqlBool> {
  const startOf = (day: string) => sql`(${day}::date::timestamp at time zone ${timeZone})`
  const startAfter = (day: string) => sql`((${day}::date + 1)::timestamp at time zone ${timeZone})`
  const kept: RawBuilder<SqlBool>[] = [sql`true`]
  if (query.from) kept.push(sql`p.created_at >= ${startOf(query.from)}`)
  if (query.to) kept.push(sql`p.created_at < ${startAfter(query.to)}`)
  if (query.status) kept.push(sql`p.status = ${query.status}`)
  if (query.method) kept.push(sql`p.method = ${query.method}`)
  if (query.applicationId) kept.push(sql`p.application_id = ${uuidOf(query.applicationId)}::uuid`)
  if (query.minAmount !== undefined)
    kept.push(sql`p.amount_minor >= ${limitToMinor(query.minAmount, 'at least')}`)
  if (query.maxAmount !== undefined)
    kept.push(sql`p.amount_minor <= ${limitToMinor(query.maxAmount, 'at most')}`)
  if (query.search) {
    const part = query.search
      .trim()
      .toLowerCase()
      .replace(/[\\%_]/g, '\\$&')
    kept.push(sql`'pay_' || typeid_suffix(p.id) like ${`%${part}%`}`)
  }
  return sql.join(kept, sql` and `)
}

/** The payments of one application, newest first, one more than the limit when there are more. */
export async function listForApplication(
  db: Queryable,
  caller: KeyOwner,
  query: PublicPaymentQuery,
): Promise<Payment[]> {
  let select = db
    .selectFrom('payments')
    .selectAll()
    .where('merchant_id', '=', uuidOf(caller.merchantId))
    .where('application_id', '=', uuidOf(caller.applicationId))
  if (query.cursor) select = select.where('id', '<', uuidOf(query.cursor))
  if (query.status) select = select.where('status', '=', query.status)
  if (query.reference !== undefined) select = select.where('reference', '=', query.reference)
  if (query.created_after) select = select.where('created_at', '>', new Date(query.created_after))
  if (query.created_before) select = select.where('created_at', '<', new Date(query.created_before))
  const rows = await select
    .orderBy('id', 'desc')
    .limit(query.limit + 1)
    .execute()
  return rows.map(toPayment)
}

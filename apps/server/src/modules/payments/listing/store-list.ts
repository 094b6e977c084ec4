import type { AccountId, PaymentId } from '@muripo/contract/ids'
import type { PublicPaymentQuery } from '@muripo/contract/payments'
import { type Selectable, sql } from 'kysely'
import type { Queryable } from '../../../platform/db/database.ts'
import type { Payments as PaymentRow } from '../../../platform/db/schema.ts'
import { uuidOf } from '../../../platform/ids.ts'
import type { KeyOwner } from '../../applications/index.ts'
import type { Payment } from '../payment.ts'
import { payments } from '../tables.ts'
import { isEverything } from './range.ts'
import {
  type DashboardFilter,
  isAnyKind,
  publicSelectionOf,
  type Selection,
  selectionOf,
} from './selection.ts'
import { inIdRange, matchesFilters, type Sql } from './store-conditions.ts'
import { matchingIds } from './store-matching.ts'

export interface NamedPayment {
  readonly payment: Payment
  readonly applicationName: string
}

/**
 * The payments that a filter keeps, newest first, one more than the limit when there are more. Ids sort by time of creation, so the
 * primary key itself is the order and the cursor.
 */
export async function listForDashboard(db: Queryable, filter: DashboardFilter): Promise<NamedPayment[]> {
  const selection = selectionOf(filter)
  if (selection === null) return []
  return listSelected(db, selection, filter.query.limit + 1)
}

async function listSelected(db: Queryable, selection: Selection, most: number): Promise<NamedPayment[]> {
  const newest = await fetch(db, selection, amongRecent(selection, most))
  if (newest.length === most || hasNoFilter(selection)) return newest
  // Rare payments, and payments that were frequent long ago, are not found among the recent ones.
  return fetch(db, selection, await matchingIds(db, selection, most))
}

/** The rows of the ids that a query returns. `limit 1` makes the planner look each up by its key. */
async function fetch(db: Queryable, { accountId }: Selection, ids: Sql): Promise<NamedPayment[]> {
  const { rows } = await sql<Selectable<PaymentRow> & { application_name: string }>`
    with found as materialized (${ids})
    select p.*, a.name as application_name
    from found
    cross join lateral (select * from payments where account_id = ${accountId}::uuid and id = found.id limit 1) as p
    join applications a on a.account_id = p.account_id and a.id = p.application_id
    order by p.id desc`.execute(db)
  return rows.map(toNamed)
}

const hasNoFilter = ({ kind, amounts, fragment }: Selection): boolean =>
  isAnyKind(kind) && isEverything(amounts) && fragment === null

/** Most filters keep enough recent payments for a page: this number of them is scanned before anything else. */
const RECENT_SCAN_LIMIT = 2000

const amongRecent = (selection: Selection, most: number): Sql => sql`
  select id from (
    select id, application_id, status, method, amount_minor from payments
    where ${inIdRange(selection)} order by id desc limit ${hasNoFilter(selection) ? most : RECENT_SCAN_LIMIT + 4 * most}
  ) as newest
  where ${matchesFilters(selection)} order by id desc limit ${most}`

/** The payments of the merchant among these ids, newest first. */
export async function findForDashboard(
  db: Queryable,
  accountId: AccountId,
  ids: readonly PaymentId[],
): Promise<NamedPayment[]> {
  const rows = await named(db, accountId).where('p.id', 'in', ids.map(uuidOf)).execute()
  return rows.map(toNamed)
}

const named = (db: Queryable, accountId: AccountId) =>
  db
    .selectFrom('payments as p')
    .innerJoin('applications as a', (join) =>
      join.onRef('a.account_id', '=', 'p.account_id').onRef('a.id', '=', 'p.application_id'),
    )
    .selectAll('p')
    .select('a.name as application_name')
    .where('p.account_id', '=', uuidOf(accountId))
    .orderBy('p.id', 'desc')

const toNamed = ({ application_name, ...row }: Selectable<PaymentRow> & { application_name: string }) => ({
  payment: payments.read(row),
  applicationName: application_name,
})

/** The payments of one application, newest first, one more than the limit when there are more. */
export async function listForApplication(
  db: Queryable,
  caller: KeyOwner,
  query: PublicPaymentQuery,
): Promise<Payment[]> {
  const selection = publicSelectionOf(caller, query)
  if (selection === null) return []
  const most = query.limit + 1
  const found =
    query.reference === undefined
      ? await listSelected(db, selection, most)
      : await fetch(db, selection, withReference(selection, query.reference, most))
  return found.map(({ payment }) => payment)
}

/** The order begins with a reference that the planner cannot inline, so payments_by_reference is the only index that has the order. */
const withReference = (selection: Selection, reference: string, most: number): Sql => sql`
  select newest.id from (select ${reference}::text as reference offset 0) as asked
  cross join lateral (
    select id from payments
    where ${inIdRange(selection)} and reference = asked.reference and ${matchesFilters(selection)}
    order by payments.reference desc, id desc limit ${most}
  ) as newest`

import type { MerchantId, PaymentId } from '@muripo/contract/ids'
import type { PublicPaymentQuery } from '@muripo/contract/payments'
import { type Selectable, sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import type { Payments as PaymentRow } from '../../platform/db/schema.ts'
import { uuidOf } from '../../platform/ids.ts'
import type { KeyOwner } from '../applications/index.ts'
import type { Payment } from './payment.ts'
import { isEverything } from './range.ts'
import {
  type DashboardFilter,
  isAnyKind,
  publicSelectionOf,
  type Selection,
  selectionOf,
} from './selection.ts'
import { inOrder, type Sql, selected } from './store-conditions.ts'
import { matchingIds } from './store-matching.ts'
import { payments } from './tables.ts'

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
  const newest = await fetch(db, selection, amongNewest(selection, most))
  if (newest.length === most || isAll(selection)) return newest
  // Rare ones, and such as were frequent long ago, without passing over all that came since.
  return fetch(db, selection, await matchingIds(db, selection, most))
}

/** The rows of the ids that a query finds. Each is looked up by its key, for which the limit stands: it is no condition to be moved. */
async function fetch(db: Queryable, { merchantId }: Selection, ids: Sql): Promise<NamedPayment[]> {
  const { rows } = await sql<Selectable<PaymentRow> & { application_name: string }>`
    with found as materialized (${ids})
    select p.*, a.name as application_name
    from found
    cross join lateral (select * from payments where merchant_id = ${merchantId}::uuid and id = found.id limit 1) as p
    join applications a on a.merchant_id = p.merchant_id and a.id = p.application_id
    order by p.id desc`.execute(db)
  return rows.map(toNamed)
}

const isAll = ({ kind, amounts, fragment }: Selection): boolean =>
  isAnyKind(kind) && isEverything(amounts) && fragment === null

/** Most filters keep enough of what is new: so many of the newest are looked through before anything else. */
const LOOKED_THROUGH = 2000

const amongNewest = (selection: Selection, most: number): Sql => sql`
  select id from (
    select id, application_id, status, method, amount_minor from payments
    where ${inOrder(selection)} order by id desc limit ${isAll(selection) ? most : LOOKED_THROUGH + 4 * most}
  ) as newest
  where ${selected(selection)} order by id desc limit ${most}`

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

/** The order begins with the reference of a row that the planner does not see into: nothing else than payments_by_reference has it. */
const withReference = (selection: Selection, reference: string, most: number): Sql => sql`
  select newest.id from (select ${reference}::text as reference offset 0) as asked
  cross join lateral (
    select id from payments
    where ${inOrder(selection)} and reference = asked.reference and ${selected(selection)}
    order by payments.reference desc, id desc limit ${most}
  ) as newest`

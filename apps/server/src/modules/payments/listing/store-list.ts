import type { AccountId, PaymentId } from '@muripo/contract/ids'
import type { PublicPaymentQuery } from '@muripo/contract/payments'
import { sql } from 'kysely'
import type { Queryable } from '../../../platform/db/database.ts'
import { isStatementTimeout } from '../../../platform/db/failures.ts'
import { AppError } from '../../../platform/errors.ts'
import { uuidOf } from '../../../platform/ids.ts'
import type { KeyOwner } from '../../applications/index.ts'
import type { Payment } from '../payment/payment.ts'
import { listedPayments, payments } from '../payment/tables.ts'
import type { ListedPayment } from '../payment/wire.ts'
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
import { findTerms } from './store-search.ts'

export interface NamedPayment<Of = ListedPayment> {
  readonly payment: Of
  readonly applicationName: string
}

/**
 * The payments that a filter keeps, newest first, one more than the limit when there are more. Ids sort by time of creation, so the
 * primary key itself is the order and the cursor.
 */
export async function listForDashboard(db: Queryable, filter: DashboardFilter): Promise<NamedPayment[]> {
  const selection = selectionOf(filter)
  if (selection === null) return []
  return listSelected(db, listedPayments, selection, filter.query.limit + 1)
}

/** The properties of a payment that a list reads. */
type PaymentView<Of> = Pick<typeof listedPayments, 'selectList'> & { readonly read: (row: PaymentRow) => Of }

async function listSelected<Of>(
  db: Queryable,
  view: PaymentView<Of>,
  selection: Selection,
  most: number,
): Promise<NamedPayment<Of>[]> {
  const terms = await findTerms(db, selection)
  if (terms !== null) return fetchNamed(db, view, selection.accountId, terms.idsOf(selection, most))
  if (selection.isNoId) return []
  const newest = await fetchNamed(db, view, selection.accountId, amongRecent(selection, most))
  if (newest.length === most || hasNoFilter(selection)) return newest
  // The recent payments contain too few matches when matches are rare, or were frequent long ago only.
  return fetchNamed(db, view, selection.accountId, await matchingIds(db, selection, most))
}

/** The payments of the ids that a query returns. `limit 1` makes the planner look each up by its key. */
async function fetchNamed<Of>(
  db: Queryable,
  { selectList, read }: PaymentView<Of>,
  accountId: string,
  ids: Sql,
): Promise<NamedPayment<Of>[]> {
  const { rows } = await sql<NamedRow>`
    with found as materialized (${ids})
    select ${selectList}, applications.name as application_name
    from found
    cross join lateral (
      select * from payments where account_id = ${accountId}::uuid and id = found.id limit 1
    ) as payments
    join applications on applications.account_id = payments.account_id and applications.id = payments.application_id
    order by payments.id desc`.execute(db)
  return rows.map(namedBy(read))
}

type PaymentRow = Readonly<Record<string, unknown>>
type NamedRow = PaymentRow & { readonly application_name: string }

const namedBy =
  <Of>(read: (row: PaymentRow) => Of) =>
  (row: NamedRow): NamedPayment<Of> => ({ payment: read(row), applicationName: row.application_name })

const hasNoFilter = ({ kind, amounts, fragment }: Selection): boolean =>
  isAnyKind(kind) && isEverything(amounts) && fragment === null

/** The number of recent payments that are scanned first, because most filters match enough of them for a page. */
const RECENT_SCAN_LIMIT = 2000

const amongRecent = (selection: Selection, most: number): Sql => sql`
  select id from (
    select id, application_id, status, method, amount_minor from payments
    where ${inIdRange(selection)} order by id desc limit ${hasNoFilter(selection) ? most : RECENT_SCAN_LIMIT + 4 * most}
  ) as newest
  where ${matchesFilters(selection)} order by id desc limit ${most}`

/** The payments of the merchant among these ids, newest first. */
export const findForDashboard = (
  db: Queryable,
  accountId: AccountId,
  ids: readonly PaymentId[],
): Promise<NamedPayment[]> =>
  fetchNamed(
    db,
    listedPayments,
    uuidOf(accountId),
    sql`select distinct id from unnest(${ids.map(uuidOf)}::uuid[]) as given (id)`,
  )

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
      ? await listSelected(db, payments, selection, most)
      : await fetchNamed(db, payments, selection.accountId, withReference(selection, query.reference, most))
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

/** A search that reaches the time limit of a statement fails with advice how to narrow it. */
export async function withinSearchLimit<Result>(search: Promise<Result>): Promise<Result> {
  try {
    return await search
  } catch (error) {
    throw isStatementTimeout(error) ? new AppError('search_too_broad') : error
  }
}

import type { DashboardPaymentQuery } from '@muripo/contract/dashboard-payments'
import type { AccountId, ApplicationId } from '@muripo/contract/ids'
import { limitToMinor } from '@muripo/contract/money'
import type { PublicPaymentQuery } from '@muripo/contract/payments'
import { plusDays, startOfDay } from '../../../platform/clock.ts'
import type { Queryable } from '../../../platform/db/database.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { type KeyOwner, namesakesOf } from '../../applications/index.ts'
import { merchantProfile, type SessionCaller } from '../../identity/index.ts'
import { type IdSearch, readSearch } from './id-search.ts'
import { everything, isEmpty, type Range } from './range.ts'
import { readTerms, type SearchTerms } from './search-terms.ts'

/** A count without a total ends at this number. */
export const COUNT_LIMIT = 10_000

/** The filter of a dashboard list; its days begin in the time zone. */
export interface DashboardFilter {
  readonly accountId: AccountId
  readonly query: DashboardPaymentQuery
  readonly timeZone: string
  /** The applications of the payments; absent for that of the query, or all. */
  readonly applicationIds?: readonly ApplicationId[]
}

/**
 * The filter of a member's query. It keeps all applications with the name of the requested one, and of these and of all others those to
 * which the membership is limited.
 */
export async function dashboardFilter(
  db: Queryable,
  { merchantId: accountId, applications }: Pick<SessionCaller, 'merchantId' | 'applications'>,
  query: DashboardPaymentQuery,
): Promise<DashboardFilter> {
  const hasDays = query.from !== undefined || query.to !== undefined
  const [timeZone, namesakes] = await Promise.all([
    // Without days the time zone has no effect, and the list one query less.
    hasDays ? merchantProfile(db, accountId).then((profile) => profile.timeZone) : 'UTC',
    query.applicationId === undefined ? [] : namesakesOf(db, accountId, query.applicationId),
  ])
  const ofQuery = query.applicationId === undefined ? null : [query.applicationId]
  const requested = namesakes.length > 0 ? namesakes : ofQuery
  const permitted = requested?.filter((id) => applications?.includes(id) ?? true) ?? applications
  return { accountId, query, timeZone, ...(permitted !== null && { applicationIds: permitted }) }
}

/** A filter in the values of the tables. */
export interface Selection {
  readonly accountId: string
  readonly kind: Kind
  /** In milliseconds since 1970. */
  readonly created: Range
  /** In minor units. */
  readonly amounts: Range
  readonly ids: IdSearch['ids']
  readonly fragment: string | null
  /** Of people and purposes; null for a search in ids only. */
  readonly terms: SearchTerms | null
  /** No id contains the text of the search. */
  readonly isNoId: boolean
  /** The last payment of the page before. */
  readonly olderThan: string | null
}

/** The attributes by which payment_counts groups; a missing one may have any value. */
export interface Kind {
  readonly applicationIds?: readonly string[]
  readonly status?: string
  readonly method?: string
}

export const isAnyKind = (kind: Kind): boolean => Object.keys(kind).length === 0

/** Days from the beginning of the first to the end of the last one, in milliseconds since 1970. */
export const createdIn = (
  { from, to }: Pick<DashboardPaymentQuery, 'from' | 'to'>,
  timeZone: string,
): Range => ({
  from: from === undefined ? -Infinity : startOfDay(from, timeZone),
  before: to === undefined ? Infinity : startOfDay(plusDays(to, 1), timeZone),
})

/** A text that every id contains, such as "pay_", is no name. */
const isOfAnyId = (search: IdSearch | null): boolean =>
  search !== null && search.ids === null && search.fragment === null

/** Null for a filter that no payment can match. */
export function selectionOf({ accountId, query, timeZone, ...filter }: DashboardFilter): Selection | null {
  const search = readSearch(query.search ?? '')
  const terms = isOfAnyId(search) ? null : readTerms(query.search ?? '')
  if (search === null && terms === null) return null
  const created = createdIn(query, timeZone)
  const amounts = {
    from: query.minAmount === undefined ? -Infinity : Number(limitToMinor(query.minAmount, 'at least')),
    before: query.maxAmount === undefined ? Infinity : Number(limitToMinor(query.maxAmount, 'at most')) + 1,
  }
  const ofQuery = query.applicationId === undefined ? undefined : [query.applicationId]
  const applicationIds = filter.applicationIds ?? ofQuery
  if (isEmpty(created) || isEmpty(amounts) || applicationIds?.length === 0) return null
  return {
    accountId: uuidOf(accountId),
    kind: {
      ...(applicationIds !== undefined && { applicationIds: applicationIds.map(uuidOf) }),
      ...(query.status !== undefined && { status: query.status }),
      ...(query.method !== undefined && { method: query.method }),
    },
    created,
    amounts,
    ids: search?.ids ?? null,
    fragment: search?.fragment ?? null,
    terms,
    isNoId: search === null,
    olderThan: query.cursor === undefined ? null : uuidOf(query.cursor),
  }
}

/** The payments of the caller's application, both ends of the time excluded. Null for a query that no payment can match. */
export function publicSelectionOf(caller: KeyOwner, query: PublicPaymentQuery): Selection | null {
  const created = {
    from: query.created_after === undefined ? -Infinity : Math.floor(Date.parse(query.created_after)) + 1,
    before: query.created_before === undefined ? Infinity : Date.parse(query.created_before),
  }
  if (isEmpty(created)) return null
  return {
    accountId: uuidOf(caller.accountId),
    kind: {
      applicationIds: [uuidOf(caller.applicationId)],
      ...(query.status !== undefined && { status: query.status }),
    },
    created,
    amounts: everything,
    ids: null,
    fragment: null,
    terms: null,
    isNoId: false,
    olderThan: query.cursor === undefined ? null : uuidOf(query.cursor),
  }
}

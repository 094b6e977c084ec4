import { getAccount, listSessions } from 'virtual:calls/account'
import { getApplication, listApplications } from 'virtual:calls/applications'
import { listPayments } from 'virtual:calls/dashboard-payments'
import { listPasskeys } from 'virtual:calls/passkeys'
import { getDashboardStats } from 'virtual:calls/stats'
import { getTill } from 'virtual:calls/till'
import type { QueryClient } from '@tanstack/react-query'
import { accountQuery, passkeysQuery, sessionsQuery } from '../../api/account.ts'
import { applicationsQuery, prefetchApplication } from '../../api/applications.ts'
import { PAGE_SIZE } from '../../api/payment-list.ts'
import { paymentListQuery } from '../../api/payments.ts'
import { statsQuery } from '../../api/stats.ts'
import { tillQuery } from '../../api/till-query.ts'
import { addressOf } from '../../lib/http.ts'
import { paths } from '../../lib/paths.ts'
import { readFilters } from '../../lib/payment-filters.ts'

interface PageQueries {
  start(client: QueryClient, search: URLSearchParams): unknown
  /** The addresses of their calls, for the head of the document: they are sent before the scripts are there. */
  readonly calls: readonly string[]
}

const pages: Readonly<Record<string, PageQueries>> = {
  [paths.dashboard]: {
    start: (client) => client.prefetchQuery(statsQuery),
    calls: [addressOf(getDashboardStats)],
  },
  [paths.payments]: {
    start: (client, search) => client.prefetchInfiniteQuery(paymentListQuery(readFilters(search))),
    calls: [addressOf(listPayments, {}, { limit: PAGE_SIZE })],
  },
  [paths.applications]: {
    start: (client) => client.prefetchQuery(applicationsQuery),
    calls: [addressOf(listApplications)],
  },
  [paths.settings]: {
    start: (client) =>
      Promise.all([client.prefetchQuery(passkeysQuery), client.prefetchQuery(sessionsQuery)]),
    calls: [addressOf(listPasskeys), addressOf(listSessions)],
  },
  [paths.till]: { start: (client) => client.prefetchQuery(tillQuery()), calls: [addressOf(getTill)] },
  [paths.tillToday]: { start: (client) => client.prefetchQuery(tillQuery()), calls: [addressOf(getTill)] },
}

const pageOf = (pathname: string): PageQueries | undefined => pages[pathname.replace(/\/+$/, '')]

interface PageParams {
  readonly applicationId?: string | undefined
}

/** Starts the queries that a page needs first. Its components read the results, and fetch the rest themselves. */
export function startPageQueries(
  client: QueryClient,
  { pathname, searchParams }: URL,
  { applicationId }: PageParams,
): void {
  void client.prefetchQuery(accountQuery)
  if (applicationId !== undefined) void prefetchApplication(client, applicationId)
  else pageOf(pathname)?.start(client, searchParams)
}

/** The calls that a page sends first. */
export const firstCalls = (pathname: string, { applicationId }: PageParams): readonly string[] => [
  addressOf(getAccount),
  ...(applicationId === undefined
    ? (pageOf(pathname)?.calls ?? [])
    : [addressOf(getApplication, { applicationId })]),
]

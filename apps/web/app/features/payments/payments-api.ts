import type { listApplications } from '@muripo/contract/applications'
import type { DashboardPayment, listPayments } from '@muripo/contract/dashboard-payments'
import type { ApplicationId, PaymentId } from '@muripo/contract/ids'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { dataOf } from '../../api/errors.ts'
import { askQuietly } from '../../lib/ask-quietly.ts'
import { logProblem } from '../../lib/log.ts'
import { throttled } from '../../lib/timing.ts'
import { send } from '../../session/session.ts'
import { type Filters, isFiltered } from './filters.ts'
import { appended, listIn, merged, type PaymentList } from './payment-list.ts'

export const paymentsKey = ['payments'] as const
export const listKey = (filters: Filters) => [...paymentsKey, filters] as const
export const PAGE_SIZE = 100
/** A list that was scrolled far is asked for again in few steps. */
const LARGEST_PAGE = 1000

interface Place {
  readonly filters: Filters
  readonly cursor: PaymentId | null
  readonly limit: number
}

export const ask = async ({
  filters: { applicationId, ...filters },
  cursor,
  limit,
}: Place): Promise<PaymentList> =>
  listIn(
    dataOf(
      await send<typeof listPayments>('GET', '/payments/all', {
        query: {
          ...filters,
          limit,
          ...(applicationId ? { applicationId: applicationId as ApplicationId } : {}),
          ...(cursor ? { cursor } : {}),
        },
      }),
      'Failed to load payments',
    ),
  )

/** As many payments as were loaded already, and a page of them at first. */
export async function askAgain(cache: QueryClient, filters: Filters): Promise<PaymentList> {
  const known = () => cache.getQueryData<PaymentList>(listKey(filters))?.payments ?? []
  const wanted = Math.max(known().length, PAGE_SIZE)
  let list = await ask({ filters, cursor: null, limit: Math.min(wanted, LARGEST_PAGE) })
  while (list.nextCursor !== null && list.payments.length < wanted) {
    const cursor = list.nextCursor
    const limit = Math.min(wanted - list.payments.length, LARGEST_PAGE)
    list = appended(list, cursor, await ask({ filters, cursor, limit }))
  }
  // What changed while the answer was on its way is known already.
  return merged(list, known(), !isFiltered(filters))
}

const ASK_AGAIN_EVERY_MS = 2000
const filteredOnly = ({ queryKey }: { queryKey: readonly unknown[] }) => isFiltered(queryKey[1] as Filters)
const askFiltered = new WeakMap<QueryClient, () => void>()

/**
 * Puts payments that were created or changed into the lists that are loaded. Whether a filter keeps them only the server can tell:
 * a filtered list is asked for again, at once and then at most every two seconds.
 */
export function mergePayments(cache: QueryClient, changed: readonly DashboardPayment[]): void {
  for (const query of cache.getQueryCache().findAll({ queryKey: paymentsKey })) {
    cache.setQueryData<PaymentList>(
      query.queryKey,
      (list) => list && merged(list, changed, !filteredOnly(query)),
    )
  }
  if (!askFiltered.has(cache)) {
    const again = () => void askQuietly(cache, { queryKey: paymentsKey, predicate: filteredOnly })
    askFiltered.set(cache, throttled(again, ASK_AGAIN_EVERY_MS))
  }
  askFiltered.get(cache)?.()
}

/** For the filter only: without the list the filter simply offers nothing. */
export const useApplicationChoices = () =>
  useQuery({
    queryKey: ['payments-applications'],
    meta: { quiet: true },
    queryFn: async () => {
      const result = await send<typeof listApplications>('GET', '/applications/all')
      if (result.data === null) logProblem('The applications for the filter could not be read', result.error)
      const list: unknown = Array.isArray(result.data) ? result.data : result.data?.applications
      const applications = Array.isArray(list) ? (list as { _id: string; applicationName: string }[]) : []
      return applications.map(({ _id, applicationName }) => ({ value: _id, label: applicationName }))
    },
  })

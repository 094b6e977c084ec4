import * as calls from 'virtual:calls/stats'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useThrottledRefetch } from '../lib/refetch-silently.ts'
import { usePaymentUpdates } from '../live/live.tsx'
import { send } from '../session/session.ts'
import { type Stats, statsIn } from './answers.ts'
import { read } from './api-error.ts'
import { startedByLoader } from './query-client.ts'
import { queryKeys } from './query-keys.ts'

export const fetchStats = async (signal?: AbortSignal): Promise<Stats> =>
  read(await send(calls.getDashboardStats, { signal }), 'loadStats', statsIn)

export const statsQuery = queryOptions({
  queryKey: queryKeys.stats,
  queryFn: ({ signal }) => fetchStats(signal),
  ...startedByLoader,
})

/** Figures change in place after live updates; `isFetching` is true for the first load and for the user's own refresh only. */
export function useStats() {
  const query = useQuery(statsQuery)
  usePaymentUpdates(useThrottledRefetch(queryKeys.stats))
  const [isRefreshing, setIsRefreshing] = useState(false)
  const refetch = async () => {
    setIsRefreshing(true)
    await query.refetch()
    setIsRefreshing(false)
  }
  return { data: query.data, error: query.error, isFetching: query.isLoading || isRefreshing, refetch }
}

import type { getDashboardStats } from '@muripo/contract/stats'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useThrottledRefetch } from '../lib/refetch-silently.ts'
import { usePaymentUpdates } from '../live/live.tsx'
import { send } from '../session/session.ts'
import { unwrap } from './api-error.ts'
import { queryKeys } from './query-keys.ts'

const statsQuery = queryOptions({
  queryKey: queryKeys.stats,
  queryFn: async ({ signal }) =>
    unwrap(await send<typeof getDashboardStats>('GET', '/stats/dashboard', { signal }), 'loadStats').data,
})

/** Figures change in place after live updates; `loading` is true for the first load and for the user's own refresh only. */
export function useStats() {
  const { data, error, isLoading, refetch } = useQuery(statsQuery)
  usePaymentUpdates(useThrottledRefetch(queryKeys.stats))
  const [isRefreshing, setIsRefreshing] = useState(false)
  const reload = async () => {
    setIsRefreshing(true)
    await refetch()
    setIsRefreshing(false)
  }
  return { stats: data, error, loading: isLoading || isRefreshing, reload }
}

import {
  type Query,
  type QueryClient,
  type QueryFilters,
  type QueryKey,
  useQueryClient,
} from '@tanstack/react-query'
import { useState } from 'react'
import { throttled } from './timing.ts'

/** The library stores this with the fetch, so that a fetch that replaces a silent one is not silent. */
const SILENT: NonNullable<Query['state']['fetchMeta']> = {}

/** Whether the latest fetch of the query is invisible on the screen. */
export const isRefetchedSilently = ({ state }: Pick<Query<unknown, unknown>, 'state'>): boolean =>
  state.fetchMeta === SILENT

/** Refetches the queries on the screen without a spinner. A failure changes nothing. */
export async function refetchSilently(cache: QueryClient, filters: QueryFilters): Promise<void> {
  const queries = cache.getQueryCache().findAll({ ...filters, type: 'active' })
  await Promise.all(queries.map(refetch))
}

async function refetch(query: Query): Promise<void> {
  // A response in transit may be older than the update: another request follows it. The library has one request of a query at a time, so no
  // response arrives after a newer one.
  if (query.state.fetchStatus === 'fetching') await query.promise?.catch(() => undefined)
  const { status, error } = query.state
  await query.fetch(undefined, { meta: SILENT }).catch(() => {
    if (isRefetchedSilently(query)) query.setState({ status, error, fetchFailureReason: null })
  })
}

/** The shortest interval between two refetches. */
const FOLLOW_EVERY_MS = 1500

/** Returns a function that refetches the shown queries under a key silently, at most once in an interval. */
export function useThrottledRefetch(queryKey: QueryKey): () => void {
  const cache = useQueryClient()
  const [follow] = useState(() => throttled(() => void refetchSilently(cache, { queryKey }), FOLLOW_EVERY_MS))
  return follow
}

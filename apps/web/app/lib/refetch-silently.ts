import {
  type Query,
  type QueryClient,
  type QueryFilters,
  type QueryFunction,
  type QueryKey,
  useQueryClient,
} from '@tanstack/react-query'
import { useState } from 'react'
import { throttled } from './timing.ts'

/**
 * Refetches the queries on the screen without a spinner. A failure changes nothing.
 */
export async function refetchSilently(cache: QueryClient, filters: QueryFilters): Promise<void> {
  const queries = cache.getQueryCache().findAll({ ...filters, type: 'active' })
  await Promise.all(
    queries.map(async (query) => {
      // A response in transit may be older than the update and must not overwrite it.
      if (query.state.fetchStatus === 'fetching') await query.fetch().catch(() => undefined)
      const fetchData = query.options.queryFn as QueryFunction
      const { queryKey, meta } = query
      const data = await fetchData({ client: cache, queryKey, meta, signal: new AbortController().signal })
      cache.setQueryData(queryKey, data)
    }),
  ).catch(() => undefined)
}

/** The library stores this with the fetch, so that a fetch that replaces a silent one is not silent. */
const SILENT: NonNullable<Query['state']['fetchMeta']> = {}

/** Whether the latest fetch of the query is invisible on the screen. */
export const isRefetchedSilently = ({ state }: Pick<Query<unknown, unknown>, 'state'>): boolean =>
  state.fetchMeta === SILENT

/** The same for infinite queries, which only the library itself can refetch. */
export async function refetchPagesSilently(cache: QueryClient, filters: QueryFilters): Promise<void> {
  const queries = cache.getQueryCache().findAll({ ...filters, type: 'active' })
  await Promise.all(queries.map(refetchPages))
}

async function refetchPages(query: Query): Promise<void> {
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

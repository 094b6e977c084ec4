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
 * Updates the queries on the screen invisibly: no spinner runs meanwhile, and a failure changes nothing.
 */
export async function refetchSilently(cache: QueryClient, filters: QueryFilters): Promise<void> {
  const queries = cache.getQueryCache().findAll({ ...filters, type: 'active' })
  await Promise.all(
    queries.map(async (query) => {
      // An answer that is on its way may be older than the update, and must not come after.
      if (query.state.fetchStatus === 'fetching') await query.fetch().catch(() => undefined)
      const fetchData = query.options.queryFn as QueryFunction
      const { queryKey, meta } = query
      const data = await fetchData({ client: cache, queryKey, meta, signal: new AbortController().signal })
      cache.setQueryData(queryKey, data)
    }),
  ).catch(() => undefined)
}

/** The library keeps this with the fetch, so a fetch that replaces a silent one is not silent. */
const SILENT: NonNullable<Query['state']['fetchMeta']> = {}

/** Whether the query's latest fetch gives no sign on the screen. */
export const isRefetchedSilently = ({ state }: Pick<Query<unknown, unknown>, 'state'>): boolean =>
  state.fetchMeta === SILENT

/** The same for queries with pages, which only the library itself can fetch again. */
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

/** However much happens, what follows it is asked for this seldom. */
const FOLLOW_EVERY_MS = 1500

/** Brings what is on the screen under a key up to date, quietly, as often as it is called but not more often than is good. */
export function useThrottledRefetch(queryKey: QueryKey): () => void {
  const cache = useQueryClient()
  const [follow] = useState(() => throttled(() => void refetchSilently(cache, { queryKey }), FOLLOW_EVERY_MS))
  return follow
}

import type { QueryClient, QueryFilters, QueryFunction } from '@tanstack/react-query'

/**
 * Brings what is on the screen up to date without a sign of it: nothing spins meanwhile, and what fails leaves everything as it was.
 */
export async function refetchSilently(cache: QueryClient, filters: QueryFilters): Promise<void> {
  const queries = cache.getQueryCache().findAll({ ...filters, type: 'active' })
  await Promise.all(
    queries.map(async (query) => {
      // An answer that is on its way may be from before, and must not come after.
      if (query.state.fetchStatus === 'fetching') await query.fetch().catch(() => undefined)
      const ask = query.options.queryFn as QueryFunction
      const { queryKey, meta } = query
      const data = await ask({ client: cache, queryKey, meta, signal: new AbortController().signal })
      cache.setQueryData(queryKey, data)
    }),
  ).catch(() => undefined)
}

import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { type FilterName, type Filters, readFilters, writeFilters } from './filters.ts'

/** The filters live in the address, so that a filtered list can be bookmarked and sent on. */
export function useFilters() {
  const [search, setSearch] = useSearchParams()
  const filters = useMemo(() => readFilters(search), [search])
  const change = useCallback(
    (name: FilterName, value: string) =>
      setSearch((now) => writeFilters({ ...readFilters(now), [name]: value }), {
        replace: true,
        preventScrollReset: true,
      }),
    [setSearch],
  )
  const clear = useCallback(
    () => setSearch(new URLSearchParams(), { replace: true, preventScrollReset: true }),
    [setSearch],
  )
  return { filters, change, clear } satisfies { filters: Filters; change: unknown; clear: unknown }
}

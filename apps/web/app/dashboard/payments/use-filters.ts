import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { type FilterName, type Filters, readFilters, writeFilters } from './filters.ts'

/** The filters live in the address, so that a filtered list can be bookmarked and sent on. */
export function useFilters() {
  const [search, setSearch] = useSearchParams()
  const filters = useMemo(() => readFilters(search), [search])
  // The router hands out the address of the last render: of two changes before the next one the first would be lost.
  const latest = useRef(search)
  useEffect(() => {
    latest.current = search
  }, [search])
  const change = useCallback(
    (name: FilterName, value: string) => {
      latest.current = writeFilters({ ...readFilters(latest.current), [name]: value })
      setSearch(latest.current, { replace: true, preventScrollReset: true })
    },
    [setSearch],
  )
  const clear = useCallback(
    () => setSearch(new URLSearchParams(), { replace: true, preventScrollReset: true }),
    [setSearch],
  )
  return { filters, change, clear } satisfies { filters: Filters; change: unknown; clear: unknown }
}

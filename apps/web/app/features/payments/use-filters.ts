import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { type FilterName, type Filters, readFilters, writeFilters } from '../../lib/payment-filters.ts'

const typed: ReadonlySet<FilterName> = new Set(['search', 'from', 'to', 'minAmount', 'maxAmount'])

/** The filters are in the address, so that a filtered list can be bookmarked, shared, and left by the back button. */
export function useFilters() {
  const [search, setSearch] = useSearchParams()
  const address = writeFilters(readFilters(search)).toString()
  const filters = useMemo(() => readFilters(new URLSearchParams(address)), [address])
  // The router returns the address of the last render: of two changes before the next render, the first would be lost.
  const latest = useRef(search)
  const typing = useRef<FilterName | null>(null)
  const [clears, setClears] = useState(0)
  useEffect(() => {
    if (search.toString() !== latest.current.toString()) typing.current = null
    latest.current = search
  }, [search])

  const go = useCallback(
    (next: URLSearchParams, replace: boolean) => {
      latest.current = next
      setSearch(next, { replace, preventScrollReset: true })
    },
    [setSearch],
  )
  const change = useCallback(
    (name: FilterName, value: string) => {
      // Continuous typing is one step in the history.
      const replace = typing.current === name
      typing.current = typed.has(name) ? name : null
      go(writeFilters({ ...readFilters(latest.current), [name]: value }, latest.current), replace)
    },
    [go],
  )
  /** Sets several filters in one step. */
  const choose = useCallback(
    (values: Filters) => {
      typing.current = null
      go(writeFilters({ ...readFilters(latest.current), ...values }, latest.current), false)
    },
    [go],
  )
  const clear = useCallback(() => {
    typing.current = null
    go(writeFilters({}, latest.current), false)
    setClears((before) => before + 1)
  }, [go])
  return { filters, address, change, choose, clear, clears }
}

import { useEffect, useState } from 'react'
import { useNavigationType, useSearchParams } from 'react-router'
import { type ListFilters, noFilters } from './application-list.ts'

const sorts: readonly string[] = ['newest', 'oldest'] satisfies ListFilters['sort'][]
const statuses: readonly string[] = ['all', 'active', 'inactive'] satisfies ListFilters['status'][]

export function readListFilters(search: URLSearchParams): ListFilters {
  const known = (name: 'sort' | 'status', values: readonly string[]) => {
    const value = search.get(name) ?? ''
    return values.includes(value) ? value : noFilters[name]
  }
  return {
    search: search.get('search') ?? '',
    sort: known('sort', sorts) as ListFilters['sort'],
    status: known('status', statuses) as ListFilters['status'],
  }
}

export const writeListFilters = (filters: ListFilters): URLSearchParams =>
  new URLSearchParams(
    Object.entries(filters).filter(([name, value]) => value !== noFilters[name as keyof ListFilters]),
  )

/**
 * The filters, with their copy in the address, so that a filtered list can be shared and the back button returns to it. The address follows
 * later than the typing, so only a navigation of another origin is read.
 */
export function useListFilters() {
  const [search, setSearch] = useSearchParams()
  const navigation = useNavigationType()
  const [filters, setFilters] = useState(() => readListFilters(search))
  useEffect(() => {
    if (navigation !== 'REPLACE') setFilters(readListFilters(search))
  }, [search, navigation])
  const change = (next: ListFilters) => {
    setFilters(next)
    setSearch(writeListFilters(next), { replace: true, preventScrollReset: true })
  }
  return [filters, change] as const
}

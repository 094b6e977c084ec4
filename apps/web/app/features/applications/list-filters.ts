import { type Category, categories, DEFAULT_CATEGORY } from '@muripo/contract/enums'
import { useEffect, useState } from 'react'
import { useNavigationType, useSearchParams } from 'react-router'
import { newestFirst } from '../../api/answers.ts'
import type { CategoryName } from './text.ts'

interface Listed {
  readonly applicationName: string
  readonly category: string
  readonly status: string
  readonly createdAt: string
}

export interface ListFilters {
  readonly search: string
  readonly sort: 'newest' | 'oldest'
  readonly status: 'all' | 'active' | 'inactive'
}

export const noFilters: ListFilters = { search: '', sort: 'newest', status: 'all' }

export function filterApplications<T extends Listed>(
  applications: readonly T[],
  filters: ListFilters,
  categoryName: CategoryName,
): T[] {
  const matching = newestFirst(applications).filter(
    ({ applicationName, category, status }) =>
      (filters.status === 'all' || status === filters.status) &&
      isFoundIn([applicationName, category, categoryName(category)], filters.search),
  )
  return filters.sort === 'oldest' ? matching.reverse() : matching
}

const isFoundIn = (texts: readonly string[], search: string): boolean => {
  const needle = search.trim().toLowerCase()
  return texts.some((text) => text.toLowerCase().includes(needle))
}

export const hasFilters = (filters: ListFilters): boolean =>
  filters.search !== '' || filters.sort !== 'newest' || filters.status !== 'all'

/** The stored category of an entered text: an exact match of a known category or its name, else Other. */
export const categoryOf = (typed: string, categoryName: CategoryName): Category =>
  categories.find((category) => typed === category || typed === categoryName(category)) ?? DEFAULT_CATEGORY

export const matchingCategories = (typed: string, categoryName: CategoryName): readonly Category[] =>
  categories.filter((category) => isFoundIn([category, categoryName(category)], typed))

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

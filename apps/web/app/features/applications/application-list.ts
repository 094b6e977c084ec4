import { type Category, categories, DEFAULT_CATEGORY } from '@muripo/contract/words'
import { newestFirst } from '../../api/applications.ts'

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

export function filterApplications<T extends Listed>(applications: readonly T[], filters: ListFilters): T[] {
  const needle = filters.search.trim().toLowerCase()
  const matching = newestFirst(applications).filter(
    (application) =>
      (filters.status === 'all' || application.status === filters.status) &&
      (application.applicationName.toLowerCase().includes(needle) ||
        application.category.toLowerCase().includes(needle)),
  )
  return filters.sort === 'oldest' ? matching.reverse() : matching
}

export const hasFilters = (filters: ListFilters): boolean =>
  filters.search !== '' || filters.sort !== 'newest' || filters.status !== 'all'

/** The stored category of an entered text: an exact match of a known category, else Other. */
export const categoryOf = (typed: string): Category =>
  (categories as readonly string[]).includes(typed) ? (typed as Category) : DEFAULT_CATEGORY

export const matchingCategories = (typed: string): readonly Category[] => {
  const needle = typed.trim().toLowerCase()
  return categories.filter((category) => category.toLowerCase().includes(needle))
}

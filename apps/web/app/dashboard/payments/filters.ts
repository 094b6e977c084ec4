import { paymentMethods, paymentStatuses } from '@muripo/contract/words'
import { methodLabel } from '../../lib/format.ts'

/** The page's filters, as text, the way they stand in its address. An empty one filters nothing. */
export const filterNames = [
  'search',
  'from',
  'to',
  'status',
  'method',
  'minAmount',
  'maxAmount',
  'applicationId',
] as const
export type FilterName = (typeof filterNames)[number]
export type Filters = Readonly<Partial<Record<FilterName, string>>>

const amount = /^\d{1,9}(\.\d{1,2})?$/
const accepted: Partial<Record<FilterName, (value: string) => boolean>> = {
  from: (value) => !Number.isNaN(Date.parse(value)) && /^\d{4}-\d{2}-\d{2}$/.test(value),
  to: (value) => !Number.isNaN(Date.parse(value)) && /^\d{4}-\d{2}-\d{2}$/.test(value),
  status: (value) => (paymentStatuses as readonly string[]).includes(value.toLowerCase()),
  method: (value) => (paymentMethods as readonly string[]).includes(value.toLowerCase()),
  minAmount: (value) => amount.test(value),
  maxAmount: (value) => amount.test(value),
}

/** Reads the address, leaving out what the server would refuse: an old or mistyped link still opens the page. */
export function readFilters(search: URLSearchParams): Filters {
  const filters: Partial<Record<FilterName, string>> = {}
  for (const name of filterNames) {
    const value = search.get(name)?.trim() ?? ''
    if (value !== '' && (accepted[name]?.(value) ?? true)) filters[name] = value
  }
  return filters
}

export function writeFilters(filters: Filters): URLSearchParams {
  const search = new URLSearchParams()
  for (const name of filterNames) {
    const value = filters[name]?.trim()
    if (value) search.set(name, value)
  }
  return search
}

export const countFilters = (filters: Filters): number =>
  filterNames.filter((name) => name !== 'search' && filters[name]).length

export const isFiltered = (filters: Filters): boolean => filterNames.some((name) => filters[name])

export const statusChoices = [
  { value: '', label: 'All Statuses' },
  ...paymentStatuses.map((value) => ({ value, label: value })),
]
export const methodChoices = [
  { value: '', label: 'All Methods' },
  ...paymentMethods.map((value) => ({ value, label: methodLabel(value) })),
]

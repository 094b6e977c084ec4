import { SEARCH_MAX_LENGTH } from '@muripo/contract/constants'
import { type PaymentStatus, paymentMethods, paymentStatuses } from '@muripo/contract/enums'

/** The page's filters as text, as in its address. An empty one filters nothing. */
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

export const isDay = (value: string) => /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))
const isAmount = (value: string) => /^(\d{1,9}(\.\d{0,9})?|\.\d{1,9})$/.test(value)
const isOneOf = (words: readonly string[]) => (value: string) => words.includes(value.toLowerCase())
const accepted: Partial<Record<FilterName, (value: string) => boolean>> = {
  from: isDay,
  to: isDay,
  status: isOneOf(paymentStatuses),
  method: isOneOf(paymentMethods),
  minAmount: isAmount,
  maxAmount: isAmount,
}

/** Whether the server accepts the value. */
export const isAccepted = (name: FilterName, value: string): boolean => accepted[name]?.(value) ?? true

/** Reads the filters of an address without the values that the server would refuse: an old or mistyped link still opens the page. */
export function readFilters(search: URLSearchParams): Filters {
  const filters: Partial<Record<FilterName, string>> = {}
  for (const name of filterNames) {
    // No payment has an ID of this length, so a longer search finds nothing, too.
    const value = search.get(name)?.trim().slice(0, SEARCH_MAX_LENGTH) ?? ''
    if (value !== '' && isAccepted(name, value)) filters[name] = value
  }
  return filters
}

/** Writes the filters into an address, and leaves its other parameters unchanged. */
export function writeFilters(filters: Filters, address = new URLSearchParams()): URLSearchParams {
  const search = new URLSearchParams(address)
  for (const name of filterNames) {
    const value = filters[name]?.trim()
    if (value) search.set(name, value)
    else search.delete(name)
  }
  return search
}

export const countFilters = (filters: Filters): number =>
  filterNames.filter((name) => name !== 'search' && filters[name]).length

export const isFiltered = (filters: Filters): boolean => filterNames.some((name) => filters[name])

type Label = (value: string) => string

const choicesOf = (all: string, values: readonly string[], label: Label) => [
  { value: '', label: all },
  ...values.map((value) => ({ value, label: label(value) })),
]

const shownStatuses: readonly PaymentStatus[] = ['completed', 'pending', 'failed', 'refunded']
const allStatuses: readonly string[] = paymentStatuses

/** The choices of a status. Another status of the address, as in a link to authorised payments, is a choice while it is chosen. */
export function statusChoices(all: string, statusText: Label, chosen = '') {
  const isOther = allStatuses.includes(chosen) && !(shownStatuses as readonly string[]).includes(chosen)
  return choicesOf(all, isOther ? [...shownStatuses, chosen] : shownStatuses, statusText)
}
export const methodChoices = (all: string, methodLabel: Label) => choicesOf(all, paymentMethods, methodLabel)

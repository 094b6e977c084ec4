import { type ActivityGroup, activityGroups } from '@muripo/contract/enums'
import { isDay } from './payment-filters.ts'

/** The filters of the activity, as in the address of its page. */
export interface ActivityFilters {
  readonly person?: string
  readonly group?: ActivityGroup
  readonly from?: string
  readonly to?: string
}
export type ActivityFilterName = keyof ActivityFilters

export const activityFilterNames = ['person', 'group', 'from', 'to'] as const satisfies ActivityFilterName[]

const accepted: Readonly<Record<ActivityFilterName, (value: string) => boolean>> = {
  // The server finds nothing by the id of nobody.
  person: (value) => value !== '',
  group: (value) => activityGroups.some((group) => group === value),
  from: isDay,
  to: isDay,
}

/** Reads the filters of an address without the values that the server would refuse. */
export const readActivityFilters = (search: URLSearchParams): ActivityFilters =>
  Object.fromEntries(
    activityFilterNames.flatMap((name) => {
      const value = search.get(name) ?? ''
      return accepted[name](value) ? [[name, value]] : []
    }),
  )

import english from 'virtual:texts/dashboard/en'
import type { dashboard } from '@muripo/locales/dashboard'
import type { Translate } from '@muripo/locales/translator'
import { usePageText } from './page-text.ts'

export type DashboardText = Translate<typeof dashboard>

export const useDashboardText = (): DashboardText => usePageText<typeof dashboard>(english)

/** The `handle` of each page of the dashboard: the key of its title. */
export interface DashboardHandle {
  readonly title: Extract<keyof typeof dashboard, `${string}Page`>
}

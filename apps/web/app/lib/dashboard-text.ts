import english from 'virtual:texts/dashboard/en'
import type { dashboard } from '@muripo/locales/dashboard'
import { usePageText } from './page-text.ts'

export const useDashboardText = () => usePageText<typeof dashboard>(english)

/** The `handle` of each page of the dashboard: the key of its title. */
export interface DashboardHandle {
  readonly title: Extract<keyof typeof dashboard, `${string}Page`>
}

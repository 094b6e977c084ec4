import type { Page } from '@playwright/test'
import { button, holdRequests } from './page.ts'

export const STATS = 'GET /v1/stats/dashboard'

export const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
export const refresh = (page: Page) => button(page, 'Refresh')
export const focusedName = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
  )

export const holdStats = (page: Page) => holdRequests(page, '**/v1/stats/dashboard')

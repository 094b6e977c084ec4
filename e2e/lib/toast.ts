import type { Locator, Page } from '@playwright/test'

export const toast = (page: Page, message: string): Locator =>
  page.locator('.toast').getByText(message, { exact: true })

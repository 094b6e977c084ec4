import type { Page } from '@playwright/test'
import { expect } from '../fixtures.ts'
import type { Payment } from './merchant.ts'

export const grid = (page: Page) => page.getByRole('grid', { name: 'Payments' })
export const area = (page: Page) => page.getByRole('region', { name: 'Payments table' })
export const row = (page: Page, { id }: Payment) => page.getByRole('row').filter({ hasText: id })
/** The payment IDs in the list, from the top. */
export const ids = (page: Page) => grid(page).getByRole('gridcell').filter({ hasText: /^pay_/ })
export const rowNumber = (page: Page, index: number) => grid(page).locator(`[aria-rowindex="${index}"]`)
export const counted = (page: Page, shown: string | number, all: string | number) =>
  expect(page.getByText(`Showing ${shown} of ${all} payment transactions`)).toBeVisible()

/** The button of the row with this number; the titles are the first. */
export const viewDetailsAt = (page: Page, index: number) =>
  rowNumber(page, index).getByRole('button', { name: 'View Details' })

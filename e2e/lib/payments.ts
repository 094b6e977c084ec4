import type { Payment } from '@muripo/rig/merchant'
import type { Locator, Page } from '@playwright/test'
import { expect, type Seller } from '../fixtures.ts'
import { waitUntilStill } from './check-page.ts'
import { holdRequests } from './page.ts'
import { payFrom } from './payers-page.ts'
import { newPhone, type Wallet } from './wallet.ts'

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

export const REFUND_FAILED = 'Failed to refund payment. Please try again later.'

export const viewDetails = (page: Page, payment: Payment) =>
  row(page, payment).getByRole('button', { name: 'View Details' })
export const details = (page: Page) => page.getByRole('dialog', { name: 'Payment Details' })
export const confirmation = (page: Page) => page.getByRole('dialog', { name: 'Confirm Refund' })
export const fact = (page: Page, name: string): Locator =>
  details(page)
    .getByRole('definition')
    .filter({ has: page.locator(`xpath=preceding-sibling::dt[.="${name}"]`) })
export const timeline = (page: Page) =>
  details(page).getByRole('region', { name: 'Timeline' }).getByRole('listitem')
export const inDetails = (page: Page, name: string) =>
  details(page).getByRole('button', { name, exact: true })
export const inConfirmation = (page: Page, name: string) =>
  confirmation(page).getByRole('button', { name, exact: true })

/** Opens the details of a payment in the list, and the confirmation of its refund. */
export async function openRefundDialog(page: Page, payment: Payment): Promise<void> {
  await viewDetails(page, payment).click()
  await inDetails(page, 'Refund Payment').click()
}

/** Creates a payment and approves it as its payer. */
export async function approved(
  seller: Seller,
  wallet: Wallet,
  order: Record<string, unknown> = {},
  payment: Record<string, unknown> = {},
): Promise<Payment> {
  const phone = newPhone()
  const made = await seller.pay(payment)
  await wallet.configureCharge(phone, order)
  await payFrom(phone, made)
  await wallet.enterPin(phone)
  return made
}

/** The dialog's position while its timeline loads. */
export async function placeWhileLoading(page: Page) {
  await expect(details(page).getByRole('status', { name: 'Loading the timeline' })).toBeVisible()
  await waitUntilStill(page)
  return details(page).boundingBox()
}

/** Runs an inspection of the page while the request of an action is held. */
export async function whileRequestIsHeld<T>(
  page: Page,
  address: string,
  act: () => Promise<void>,
  meanwhile: () => Promise<T>,
): Promise<T> {
  const release = await holdRequests(page, address)
  await act()
  const seen = await meanwhile()
  await release()
  return seen
}

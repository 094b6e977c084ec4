import type { Locator, Page } from '@playwright/test'
import { expect, type Seller } from '../fixtures.ts'
import { waitUntilStill } from './check-page.ts'
import { holdBack } from './hold.ts'
import type { Payment } from './merchant.ts'
import { payFrom } from './payer.ts'
import { row } from './payments-page.ts'
import { newPhone, type Wallet } from './wallet.ts'

export const REFUND_FAILED = 'Failed to refund payment. Please try again later.'

export const viewDetails = (page: Page, payment: Payment) =>
  row(page, payment).getByRole('button', { name: 'View Details' })
export const details = (page: Page) => page.getByRole('dialog', { name: 'Payment Details' })
export const question = (page: Page) => page.getByRole('dialog', { name: 'Confirm Refund' })
export const fact = (page: Page, name: string): Locator =>
  details(page)
    .getByRole('definition')
    .filter({ has: page.locator(`xpath=preceding-sibling::dt[.="${name}"]`) })
export const timeline = (page: Page) =>
  details(page).getByRole('region', { name: 'Timeline' }).getByRole('listitem')
export const inDetails = (page: Page, name: string) =>
  details(page).getByRole('button', { name, exact: true })
export const inQuestion = (page: Page, name: string) =>
  question(page).getByRole('button', { name, exact: true })

/** Opens the details of a payment in the list, and the question whether to refund it. */
export async function openRefundDialog(page: Page, payment: Payment): Promise<void> {
  await viewDetails(page, payment).click()
  await inDetails(page, 'Refund Payment').click()
}

/** A payment that its payer has approved. */
export async function approved(
  seller: Seller,
  wallet: Wallet,
  order: Record<string, unknown> = {},
  payment: Record<string, unknown> = {},
): Promise<Payment> {
  const phone = newPhone()
  const made = await seller.pay(payment)
  await wallet.order(phone, order)
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

/** While the call of an action is on its way. */
export async function slowly<T>(
  page: Page,
  address: string,
  act: () => Promise<void>,
  meanwhile: () => Promise<T>,
): Promise<T> {
  const release = await holdBack(page, address)
  await act()
  const seen = await meanwhile()
  await release()
  return seen
}

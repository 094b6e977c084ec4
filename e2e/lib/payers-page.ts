import type { Payment } from '@muripo/rig/merchant'
import { pay } from '@muripo/rig/payer'
import { expect, type Locator, type Page } from '@playwright/test'
import { title } from './page.ts'

export const number = (page: Page): Locator => page.getByLabel('Phone number')

/** Submits the form of a payment of 25 dollars. */
export const payWith = async (page: Page, phone: string): Promise<void> => {
  await number(page).fill(phone)
  await page.getByRole('button', { name: 'Pay USD 25.00' }).click()
}

/** Opens a payment of 25 dollars and submits its form, up to the prompt on the phone. */
export async function payToPrompt(page: Page, paymentUrl: string, phone: string): Promise<void> {
  await page.goto(paymentUrl)
  await payWith(page, phone)
  await expect(title(page, 'Confirm on your phone')).toBeVisible()
}

/** Submits the form of the payer's page without a browser. */
export const payFrom = (phone: string, { payment_url }: Pick<Payment, 'payment_url'>): Promise<void> =>
  pay(payment_url, { phone })

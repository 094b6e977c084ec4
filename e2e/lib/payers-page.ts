import type { Locator, Page } from '@playwright/test'
import type { Payment } from './merchant.ts'

export const number = (page: Page): Locator => page.getByLabel('Phone number')
/** Sends the form of a payment of 25 dollars. */
export const payWith = async (page: Page, phone: string): Promise<void> => {
  await number(page).fill(phone)
  await page.getByRole('button', { name: 'Pay USD 25.00' }).click()
}

/** Submits the form of the payer's page without a browser. */
export async function payFrom(phone: string, { payment_url }: Pick<Payment, 'payment_url'>): Promise<void> {
  const answer = await fetch(payment_url, {
    method: 'POST',
    headers: { origin: new URL(payment_url).origin },
    body: new URLSearchParams({ method: 'ecocash', phone }),
    redirect: 'manual',
  })
  if (answer.status !== 303) throw new Error(`The hosted page answers ${answer.status}`)
}

import type { Locator, Page } from '@playwright/test'

export const number = (page: Page): Locator => page.getByLabel('Phone number')
export const title = (page: Page, name: string): Locator => page.getByRole('heading', { name, exact: true })
/** Sends the form of a payment of 25 dollars. */
export const payWith = async (page: Page, phone: string): Promise<void> => {
  await number(page).fill(phone)
  await page.getByRole('button', { name: 'Pay USD 25.00' }).click()
}

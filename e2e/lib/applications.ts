import type { Page } from '@playwright/test'
import { call } from './call.ts'
import { basket } from './merchant.ts'

export const OFFLINE = 'Network error. Please check your connection and try again.'
/** The server's response to an internal error. */
export const OUR_ERROR = 'Something went wrong on our side'

export const dialogNamed = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

/** The status of the response to a payment that is created with this key. */
export const createWith = async (gatewayUrl: string, key: string): Promise<number> =>
  (await call('POST', `${gatewayUrl}/api/v1/payments`, { bearer: key, body: basket })).status

/** Ends the session on the server, like a sign-out in another browser. */
export async function endSession(page: Page, gatewayUrl: string): Promise<void> {
  const bearer = await page.evaluate(() => localStorage.getItem('authToken') ?? '')
  await call('POST', `${gatewayUrl}/v1/auth/signout`, { bearer })
}

/** Replaces the access token by an invalid one. The refresh token stays valid. */
export const spoilToken = (page: Page) => page.evaluate(() => localStorage.setItem('authToken', 'broken'))

/** Whether the focus is inside the open dialog. */
export const focusIsInDialog = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.activeElement?.closest('[role=dialog]') != null)

/** Records whether a text ever appears on a page. Call this before the page loads. */
export async function watchFor(page: Page, words: string): Promise<() => Promise<boolean>> {
  await page.addInitScript((text) => {
    const seen = { words: false }
    Object.assign(window, { seen })
    new MutationObserver(() => {
      seen.words ||= document.body?.textContent?.includes(text) ?? false
    }).observe(document, { childList: true, subtree: true, characterData: true })
  }, words)
  return () => page.evaluate(() => (window as unknown as { seen: { words: boolean } }).seen.words)
}

export const BANKING = 'Banking Settlements and Reconciliations'

export const pageOf = (id: string) => `/app/applications/manage/${id}`
export const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
export const fact = (page: Page, name: string) =>
  page.getByRole('definition').filter({ has: page.locator(`xpath=preceding-sibling::dt[.="${name}"]`) })

import { call } from '@muripo/rig/call'
import { basket } from '@muripo/rig/merchant'
import type { Page } from '@playwright/test'

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
  page.evaluate(() => document.activeElement?.closest('dialog') != null)

/**
 * Records which of the texts ever appear on a page, and at which paths: a toast may be gone before a slow machine looks for it. Call this
 * before the page loads.
 */
export async function watchFor(
  page: Page,
  texts: readonly string[],
): Promise<(text: string) => Promise<string[]>> {
  await page.addInitScript((expected) => {
    const seen: Record<string, string[]> = {}
    Object.assign(window, { seen })
    new MutationObserver(() => {
      const shown = document.body?.textContent ?? ''
      for (const text of expected.filter((each) => shown.includes(each))) {
        const paths = seen[text] ?? []
        if (paths.at(-1) !== location.pathname) seen[text] = [...paths, location.pathname]
      }
    }).observe(document, { childList: true, subtree: true, characterData: true })
  }, texts)
  return (text) =>
    page.evaluate((name) => (window as unknown as { seen: Record<string, string[]> }).seen[name] ?? [], text)
}

export const BANKING = 'Banking Settlements and Reconciliations'

export const pageOf = (id: string) => `/app/applications/manage/${id}`
export const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
export const fact = (page: Page, name: string) =>
  page.getByRole('definition').filter({ has: page.locator(`xpath=preceding-sibling::dt[.="${name}"]`) })

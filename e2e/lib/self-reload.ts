import type { Page } from '@playwright/test'

const portOf = (url: string): string => (URL.canParse(url) ? new URL(url).port : '')

/** Pages that a test is leaving. */
const leaving = new WeakSet<Page>()

/** A browser reschedules the reload of a page when the delay in its `meta` element changes. */
const shortenReload = async (page: Page): Promise<void> => {
  if (leaving.has(page)) return
  await page.evaluate(() => {
    document.querySelector('meta[http-equiv=refresh][content="10"]')?.setAttribute('content', '1')
  })
}

/** Lets each page of a gateway that reloads itself after ten seconds do so after one. */
export function hastenReloads(page: Page, gatewayUrl: string): void {
  page.on('domcontentloaded', () => {
    if (portOf(page.url()) === portOf(gatewayUrl)) shortenReload(page).catch(() => undefined)
  })
}

const postponeReload = (page: Page): Promise<void> =>
  page.evaluate(() => {
    document.querySelector('meta[http-equiv=refresh]')?.setAttribute('content', '86400')
  })

const PAYERS_PAGE = /\/pay\//
const LEAVING_ATTEMPTS = 5

/**
 * The payer's page reloads itself, and its reload ends a navigation that has just begun: the reload is postponed, and a navigation that meets one
 * that had begun before begins again.
 */
export function gotoDespiteReload(page: Page): Page['goto'] {
  const goto = page.goto.bind(page)
  return async (url, options) => {
    if (!PAYERS_PAGE.test(page.url())) return goto(url, options)
    leaving.add(page)
    try {
      for (let attempt = 1; ; attempt += 1) {
        await postponeReload(page).catch(() => undefined)
        try {
          return await goto(url, options)
        } catch (error) {
          const isInterrupted = /net::ERR_ABORTED|interrupted by another navigation/.test(String(error))
          if (!isInterrupted || attempt === LEAVING_ATTEMPTS) throw error
        }
      }
    } finally {
      leaving.delete(page)
    }
  }
}

import { type BrowserContext, expect, type Locator, type Page, type Request } from '@playwright/test'

export const title = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

export const toast = (page: Page, message: string): Locator =>
  page.locator('.toast').getByText(message, { exact: true })

/** Records the toasts of each page of a context: one may be gone before a busy machine looks for it. */
export const recordToasts = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const shown: string[] = []
    Object.assign(window, { shownToasts: shown })
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes)
          if (node instanceof Element)
            for (const { textContent } of node.querySelectorAll('.toast > p')) shown.push(textContent)
    }).observe(document, { childList: true, subtree: true })
  })

/** Expects a toast that is on the page, or has been since the page was loaded and has not been expected yet. */
export async function expectToast(page: Page, message: string): Promise<void> {
  const isKnown = (text: string): boolean => {
    const shown = (window as unknown as { shownToasts?: string[] }).shownToasts ?? []
    const at = shown.indexOf(text)
    if (at >= 0) shown.splice(at, 1)
    return at >= 0 || [...document.querySelectorAll('.toast > p')].some((each) => each.textContent === text)
  }
  // A page that is being replaced has no document for a moment.
  const poll = () => page.evaluate(isKnown, message).catch(() => false)
  await expect.poll(poll, `toast “${message}”`).toBe(true)
}

/** Records the API calls that a page makes from now on, each as METHOD PATH. */
export function recordCalls(page: Page) {
  const made: { name: string; request: Request }[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/v1/')) made.push({ name: `${request.method()} ${pathname}`, request })
  })
  const find = (name: string) => made.find((call) => call.name === name)?.request
  return {
    names: () => made.map(({ name }) => name),
    body: (name: string): unknown => find(name)?.postDataJSON(),
    headers: (name: string) => find(name)?.headers() ?? {},
    count: (name: string) => made.filter((call) => call.name === name).length,
  }
}

/** A value of the page's local storage. */
export const stored = (page: Page, name: string): Promise<string | null> =>
  page.evaluate((key) => localStorage.getItem(key), name)

/** Holds the request for an address until it is released, so that a test can inspect the page meanwhile. */
export async function holdRequests(page: Page, address: string): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>()
  const continued: Promise<void>[] = []
  await page.route(address, (route) => {
    const sent = held.promise.then(() => route.continue())
    continued.push(sent)
    return sent
  })
  return async () => {
    held.resolve()
    // The browser could lose a request that is continued while its interception ends.
    await Promise.all(continued)
    await page.unrouteAll({ behavior: 'wait' })
  }
}

import type { Locator, Page, Request } from '@playwright/test'

export const title = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

export const toast = (page: Page, message: string): Locator =>
  page.locator('.toast').getByText(message, { exact: true })

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
  await page.route(address, async (route) => {
    await held.promise
    await route.continue()
  })
  return async () => {
    held.resolve()
    await page.unrouteAll({ behavior: 'wait' })
  }
}

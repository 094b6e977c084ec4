import type { Page } from '@playwright/test'

/** Holds the request for an address until it is released, so that a test can inspect the page meanwhile. */
export async function holdBack(page: Page, address: string): Promise<() => Promise<void>> {
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

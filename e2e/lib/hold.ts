import type { Page } from '@playwright/test'

/** Holds back the real question for an address until it is let go, so that what is shown meanwhile can be looked at. */
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

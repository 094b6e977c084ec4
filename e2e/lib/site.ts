import type { Page } from '@playwright/test'

/** The screens on which the public pages are tested. */
export const screens = [
  { name: 'desktop', viewport: { width: 1440, height: 900 } },
  { name: 'phone', viewport: { width: 375, height: 812 } },
] as const

/** The public pages with translations. The others are in English, with a translated header and footer. */
export const translatedPages = ['/', '/about', '/contact', '/help', '/status', '/pricing'] as const

/** Returns a function that waits until the framework of the next document runs. */
export async function watchFramework(page: Page): Promise<() => Promise<unknown>> {
  await page.addInitScript(() =>
    addEventListener('hydrated', () => Object.assign(window, { hydrated: true })),
  )
  return () => page.waitForFunction(() => 'hydrated' in window)
}

/** Waits until the scripts of a page have rendered the chat's button. */
export const waitForScripts = (page: Page) =>
  page.locator('button[data-framework]:not([type=submit])').waitFor()

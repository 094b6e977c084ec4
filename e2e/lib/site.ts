import type { Page } from '@playwright/test'

/** The screens on which the public pages are tested. */
export const screens = [
  { name: 'desktop', viewport: { width: 1440, height: 900 } },
  { name: 'phone', viewport: { width: 375, height: 812 } },
] as const

/** The public pages with translations. The others are in English, with a translated header and footer. */
export const translatedPages = ['/', '/about', '/contact', '/help', '/status', '/pricing'] as const

/** Waits until the scripts of a page have rendered the chat's button. */
export const waitForScripts = (page: Page) => page.locator('button[data-framework]').waitFor()

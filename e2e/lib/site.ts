import type { Page } from '@playwright/test'

/** The screens on which the public pages are tested. */
export const screens = [
  { name: 'desktop', viewport: { width: 1440, height: 900 } },
  { name: 'phone', viewport: { width: 375, height: 812 } },
] as const

export const publicPages = [
  '/',
  '/about',
  '/blog',
  '/careers',
  '/contact',
  '/privacy',
  '/terms',
  '/cookies',
  '/help',
  '/status',
  '/dev-support',
  '/documentation',
  '/pricing',
] as const

/** The public pages with translations. The others are in English, with a translated header and footer. */
export const translatedPages = ['/', '/about', '/contact', '/help', '/status', '/pricing'] as const

/** Pages of text, which load the framework on demand. */
export const textPages = [
  ...publicPages.filter((path) => path !== '/contact' && path !== '/status'),
  '/api-reference',
]

/** Waits until the scripts of a page have rendered the chat's button. */
export const waitForScripts = (page: Page) => page.locator('button[data-framework]').waitFor()

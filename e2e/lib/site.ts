import type { Page } from '@playwright/test'

/** The two screens that the public pages are judged on. */
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

/** The public pages that come in all our languages; the others are in English in a translated frame. */
export const translatedPages = ['/', '/about', '/contact', '/help', '/status', '/pricing'] as const

/** The pages that are for reading: their framework is loaded when a reader needs it. */
export const textPages = [
  ...publicPages.filter((path) => path !== '/contact' && path !== '/status'),
  '/api-reference',
]

/** The page is complete, as far as it needs script: the chat's button is there. */
export const waitForScripts = (page: Page) => page.locator('button[data-framework]').waitFor()

import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Tokens } from '@muripo/contract/auth'
import type { Browser } from '@playwright/test'
import { type Place, widths } from './places.ts'

const heights: Readonly<Record<(typeof widths)[number], number>> = {
  1440: 900,
  1024: 768,
  768: 1024,
  375: 812,
}
const quietTimeoutMs = 10_000

export interface Shoot {
  readonly url: string
  readonly folder: string
  readonly places: readonly Place[]
  /** The tokens of a session; without them nobody is signed in. */
  readonly tokens?: Tokens
}

/** Images of whole pages at every width, without animations. */
export async function photograph(browser: Browser, { url, folder, places, tokens }: Shoot): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for (const width of widths) {
    const context = await browser.newContext({
      baseURL: url,
      viewport: { width, height: heights[width] },
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'Africa/Harare',
      storageState: { cookies: [], origins: tokens ? [{ origin: url, localStorage: entries(tokens) }] : [] },
    })
    const page = await context.newPage()
    for (const place of places) {
      await page.goto(place.path)
      // A page that polls is never idle, and is complete by then.
      await page.waitForLoadState('networkidle', { timeout: quietTimeoutMs }).catch(() => undefined)
      await page.evaluate('document.fonts.ready')
      const file = path.join(folder, `${place.name}-${width}.png`)
      await page.screenshot({ path: file, fullPage: true, animations: 'disabled' })
    }
    await context.close()
  }
}

const entries = (tokens: Tokens) =>
  Object.entries(tokens).map(([name, value]: [string, string]) => ({ name, value }))

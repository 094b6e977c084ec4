import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { type Browser, expect, type Page } from '@playwright/test'
import type { RunOptions, run } from 'axe-core'
import { expectValidEmail, expectValidHtml } from './check-html.ts'

declare global {
  interface Window {
    axe: { readonly run: typeof run }
  }
}

/** The minified script: each document parses it. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const folder = process.env.MURIPO_SHOTS

/** Expects no sideways scroll. MURIPO_SHOTS=FOLDER stores a screenshot there for a review by people. */
export async function checkLayout(page: Page, name: string): Promise<void> {
  await takeScreenshot(page, name)
  await expectNoSidewaysScroll(page)
}

/** Checks the layout and the accessibility of a page, and of a dashboard page and a payer's page in dark as well. */
export async function checkPage(page: Page, name: string): Promise<void> {
  await checkInLight(page, name)
  const schemes = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
  const isDashboard = /^\/(app|console)\b/.test(new URL(page.url()).pathname)
  if (!isDashboard && schemes !== 'light dark') return
  const setScheme = isDashboard ? setColorScheme : setSystemScheme
  await stopTransitions(page)
  await setScheme(page, 'dark')
  await takeScreenshot(page, `${name}-dark`)
  await expectAccessible(page, `${name}, in dark`, { runOnly: colourRules })
  await setScheme(page, 'light')
  await allowTransitions(page)
}

/** Checks the layout and the accessibility of a page in light. */
async function checkInLight(page: Page, name: string): Promise<void> {
  await checkLayout(page, name)
  await expectAccessible(page, name)
}

/**
 * Checks a translated page at both widths. Its elements are those that the journeys in English check in dark and on a phone; what a language
 * changes is the room that its words need.
 */
export const checkTranslation = (page: Page, name: string): Promise<void> =>
  checkWidths(page, name, checkInLight, checkLayout)

/** A change of scheme changes every colour, and each frame of a transition would paint the whole page. */
const stopTransitions = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('*, *::before, *::after { transition: none !important }')
    document.adoptedStyleSheets.push(sheet)
  })

const allowTransitions = (page: Page): Promise<void> =>
  page.evaluate(() => {
    // The layout applies the last colours while there are no transitions.
    document.body.getBoundingClientRect()
    document.adoptedStyleSheets.pop()
  })

const desktop = { width: 1440, height: 900 }
const phone = { width: 375, height: 740 }

/**
 * Checks one state of a page in a wide window and on a phone, so that a journey with the same interaction at both widths runs once.
 * @param onPhone checkLayout where the findings of axe are the same at any width; the colours in dark are, so one width shows them
 */
export async function checkWidths(
  page: Page,
  name: string,
  check = checkPage,
  onPhone = check === checkPage ? checkInLight : check,
): Promise<void> {
  const before = page.viewportSize() ?? desktop
  await page.setViewportSize(desktop)
  await check(page, `${name}-1440`)
  await page.setViewportSize(phone)
  await onPhone(page, `${name}-375`)
  await page.setViewportSize(before)
}

/** Widths of a page whose interaction is the same at any width. */
const everyWidth = [1440, 768, 375]

/** Checks one state of a page at each of these widths, and at the first one in dark. */
export async function checkEveryWidth(page: Page, name: string, widths = everyWidth): Promise<void> {
  const before = page.viewportSize() ?? desktop
  for (const [nth, width] of widths.entries()) {
    await page.setViewportSize({ ...before, width })
    await (nth === 0 ? checkPage : checkInLight)(page, `${name}-${width}`)
  }
  await page.setViewportSize(before)
}

/** The rules whose results depend on the colour scheme; a run of all rules takes longer. */
const colourRules = ['color-contrast', 'link-in-text-block']

const setSystemScheme = (page: Page, colorScheme: 'light' | 'dark'): Promise<void> =>
  page.emulateMedia({ colorScheme })

/** Sets the colour scheme of the system, and waits for the dashboard's. */
async function setColorScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await setSystemScheme(page, colorScheme)
  await expect(page.locator('html')).toHaveAttribute('data-color-scheme', colorScheme)
}

async function takeScreenshot(page: Page, name: string): Promise<void> {
  await waitUntilStill(page)
  if (folder) await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true })
}

async function expectAccessible(page: Page, name: string, options: RunOptions = {}): Promise<void> {
  // Parsing the script takes time, so each document parses it once.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const violations = await page.evaluate(
    async (rules) => {
      // A toast that begins to fade meanwhile would have no contrast.
      const opaque = new CSSStyleSheet()
      opaque.replaceSync('.toast { opacity: 1 !important; transition: none !important }')
      document.adoptedStyleSheets.push(opaque)
      try {
        return (await window.axe.run(document, rules)).violations
      } finally {
        document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== opaque)
      }
    },
    { resultTypes: ['violations'], ...options } satisfies RunOptions,
  )
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  expect(found, `accessibility of ${name}`).toEqual([])
}

/** The document of a page. A page without scripts that reloads itself has none for a moment, which takes longer on a busy machine. */
export async function contentOf(page: Page): Promise<string> {
  for (;;) {
    try {
      return await page.content()
    } catch (error) {
      if (!(error as Error).message.includes('the page is navigating')) throw error
      await page.waitForLoadState('domcontentloaded')
    }
  }
}

/** A copy of a page that has no scripts, for checks that are scripts. The copy does not reload itself. */
export async function openCopy(browser: Browser, page: Page): Promise<{ html: string; copy: Page }> {
  const html = await contentOf(page)
  const context = await browser.newContext({ viewport: page.viewportSize(), javaScriptEnabled: true })
  const copy = await context.newPage()
  await copy.setContent(
    html.replace(/<meta[^>]*http-equiv="?refresh"?[^>]*>/i, '').replaceAll(/<script.*?<\/script>/gs, ''),
  )
  return { html, copy }
}

/** Checks the HTML of a page that has no scripts. */
export async function checkCopy(browser: Browser, page: Page, name: string): Promise<void> {
  const { html, copy } = await openCopy(browser, page)
  await expectValidHtml(html, name)
  await checkPage(copy, name)
  await copy.context().close()
}

/** The levels A and AA of WCAG. The other rules are about the regions of a page, which an email does not have. */
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Checks an email in both colour schemes of its reader. */
export async function checkEmail(page: Page, html: string, name: string): Promise<void> {
  await expectValidEmail(html, name)
  await page.setContent(html)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await checkLayout(page, `${name}-${colorScheme}`)
    await expectAccessible(page, `${name}, in ${colorScheme}`, { runOnly: wcag })
  }
}

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const { wide, room, visible } = await page.evaluate(() => ({
    wide: document.documentElement.scrollWidth,
    room: document.documentElement.clientWidth,
    visible: window.innerWidth,
  }))
  expect(wide, 'width of the page').toBeLessThanOrEqual(room)
  // A phone shows a page that is too wide smaller, in a wider window.
  expect(visible, 'width of the window').toBe(page.viewportSize()?.width)
}

/** Elements that fade in have no contrast yet, so the check waits for all short animations. A countdown is a long one. */
export async function waitUntilStill(page: Page): Promise<void> {
  // An opened element begins its animation one or two frames later. The page's own frames and timers may be paused.
  for (let still = 0; still < 2; ) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    const moved = await page.evaluate(async () => {
      const longestMs = 5000
      const animations = document
        .getAnimations()
        .filter((animation) => Number(animation.effect?.getComputedTiming().endTime) <= longestMs)
        // An animation that keeps its last frame remains in this list.
        .filter((animation) => animation.playState !== 'finished')
      await Promise.all(animations.map((animation) => animation.finished.catch(() => undefined)))
      return animations.length > 0
    })
    still = moved ? 0 : still + 1
  }
}

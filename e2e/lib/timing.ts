import type { Page } from '@playwright/test'
import { expect } from '../fixtures.ts'

/**
 * Records toasts by the browser's clock, from now on: a busy machine delays what Playwright observes.
 * @returns the time for which a toast with this text was in the document; waits until it has left it
 */
export async function recordToasts(page: Page): Promise<(text: string) => Promise<number>> {
  const records = await page.evaluateHandle(() => {
    const ended: { text: string; ms: number }[] = []
    const shown = new Map<Element, { text: string; since: number }>()
    const look = () => {
      const now = performance.now()
      for (const [toast, { text, since }] of shown) {
        if (toast.isConnected) continue
        shown.delete(toast)
        ended.push({ text, ms: now - since })
      }
      for (const toast of document.querySelectorAll('.toast'))
        if (!shown.has(toast)) shown.set(toast, { text: toast.textContent ?? '', since: now })
    }
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
    return ended
  })
  return async (text) => {
    const find = () =>
      records.evaluate((ended, message) => ended.find((toast) => toast.text.includes(message))?.ms, text)
    await expect.poll(find).toBeDefined()
    return Number(await find())
  }
}

/** From the end of the response to one address until the next request of another, by the browser's clock. */
export async function pauseMs(page: Page, after: RegExp, until: RegExp): Promise<number> {
  const find = () =>
    page.evaluate(
      ([first, second]) => {
        const calls = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
        const end = calls.findLast(({ name }) => new RegExp(first).test(name))?.responseEnd
        const next = calls.find(
          ({ name, startTime }) => end && startTime > end && new RegExp(second).test(name),
        )
        return end && next && next.startTime - end
      },
      [after.source, until.source] as const,
    )
  await expect.poll(find).toBeTruthy()
  return Number(await find())
}

/** The timed events of the interface differ by more than this tolerance. */
export function expectAbout(ms: number, expected: number): void {
  expect(ms).toBeGreaterThan(expected - 150)
  expect(ms).toBeLessThan(expected + 950)
}

import type { Page } from '@playwright/test'

/**
 * Records the delays of the timers that a page sets from now on. The delays are the page's own choice, and the time that passes depends on the
 * machine.
 */
export async function recordTimers(page: Page): Promise<() => Promise<readonly number[]>> {
  const recorded = await page.evaluateHandle(() => {
    const delays: number[] = []
    const set = window.setTimeout
    window.setTimeout = ((...args: Parameters<typeof set>) => {
      delays.push(Number(args[1] ?? 0))
      return set(...args)
    }) as typeof set
    return delays
  })
  return () => recorded.jsonValue()
}

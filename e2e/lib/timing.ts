import type { Locator } from '@playwright/test'
import { expect } from '../fixtures.ts'

/** How long it can be seen, from now on. */
export async function shownMs(message: Locator): Promise<number> {
  await message.waitFor()
  const since = performance.now()
  await message.waitFor({ state: 'hidden' })
  return performance.now() - since
}

/** Timed events differ from each other by more than this tolerance. */
export function expectAbout(ms: number, expected: number): void {
  expect(ms).toBeGreaterThan(expected - 150)
  expect(ms).toBeLessThan(expected + 950)
}

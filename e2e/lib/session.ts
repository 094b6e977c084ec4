import { call } from '@muripo/rig/call'
import type { Tokens } from '@muripo/rig/merchant'
import type { Page } from '@playwright/test'
import { expect, storeTokens } from '../fixtures.ts'
import { stored, title } from './page.ts'

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const SIGNED_OUT = 'Successfully signed out'

export const tokensIn = async (page: Page) => [
  await stored(page, 'authToken'),
  await stored(page, 'refreshToken'),
]

/** The dashboard with a paused clock. */
export async function openWithClock(page: Page, tokens: Tokens, path = '/app'): Promise<void> {
  await page.clock.install()
  // The stream of updates reconnects after a jump of the clock, so its request is held.
  await page.context().route('**/v1/live', () => {})
  await storeTokens(page, tokens)
  await page.goto(path)
  await expect(title(page, 'Dashboard')).toBeVisible()
  await expect(page.getByText('No recent transactions found')).toBeVisible()
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + SECOND)
}

/** The status of a call with this token. */
export const statusOf = async (gatewayUrl: string, { authToken }: Tokens): Promise<number> =>
  (await call('GET', `${gatewayUrl}/v1/stats/dashboard`, { bearer: authToken })).status

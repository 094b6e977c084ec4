import { call } from '@muripo/rig/call'
import type { Tokens } from '@muripo/rig/merchant'
import type { Response } from '@playwright/test'
import { expect, statusError, storeTokens, test } from './fixtures.ts'
import { forged } from './lib/auth.ts'
import { button, expectToast, holdRequests, recordCalls, stored } from './lib/page.ts'
import { MINUTE, openWithClock, SECOND, SIGNED_OUT, statusOf, tokensIn } from './lib/session.ts'

const REFRESH = 'POST /v1/auth/refresh-token'

test('[SESS-19] [SESS-20] [SESS-21] [CALLS-09] [CALLS-10] activity fetches new tokens every five minutes', async ({
  page,
  gateway,
  merchant: { tokens },
}) => {
  await openWithClock(page, tokens)
  const made = recordCalls(page)
  await page.clock.runFor(2 * MINUTE)
  await page.mouse.move(300, 300)
  expect(made.count(REFRESH)).toBe(0)
  const answered = page.waitForResponse('**/v1/auth/refresh-token')
  await page.clock.runFor(3 * MINUTE + SECOND)
  const fresh = (await (await answered).json()) as Tokens
  expect(made.body(REFRESH)).toEqual({ refreshToken: tokens.refreshToken })
  await expect.poll(() => tokensIn(page)).toEqual([fresh.authToken, fresh.refreshToken])
  expect(await statusOf(gateway.url, fresh)).toBe(200)

  // The session is idle for more than 4 minutes at the next refresh, and for 6 soon after: a refresh is no activity.
  await page.clock.runFor(3 * MINUTE)
  await expect(page).toHaveURL('/app')
  await page.clock.runFor(MINUTE + SECOND)
  await expect(page).toHaveURL('/')
  expect(made.count(REFRESH)).toBe(1)
})

test('[SESS-23] [SESS-24] [SESS-32] [SESS-33] [CALLS-03] two tabs that are refused together exchange the token once', async ({
  page,
  context,
  merchant: { tokens },
  consoleErrors,
}) => {
  await storeTokens(page, tokens)
  const other = await context.newPage()
  const tabs = [page, other]
  const live = page.waitForResponse('**/v1/live')
  for (const tab of tabs) {
    await tab.goto('/app')
    await expect(tab.getByText('No recent transactions found')).toBeVisible()
  }
  await live
  const made = tabs.map(recordCalls)
  const refused = forged(tokens.authToken)
  await page.evaluate((token) => localStorage.setItem('authToken', token), refused)
  // The first exchange waits until the call of each tab has been refused.
  const releases = await Promise.all(tabs.map((tab) => holdRequests(tab, '**/v1/auth/refresh-token')))
  const isRefused = (response: Response) =>
    response.url().endsWith('/v1/stats/dashboard') && response.status() === 401
  const refusals = tabs.map((tab) => tab.waitForResponse(isRefused))
  for (const tab of tabs) await button(tab, 'Refresh').click()
  await Promise.all(refusals)
  for (const release of releases) await release()
  for (const tab of tabs) {
    await expect(button(tab, 'Refresh')).toBeEnabled()
    await expect(tab).toHaveURL('/app')
    await expect(tab.getByRole('alert')).toHaveCount(0)
  }
  expect(made.reduce((sum, one) => sum + one.count(REFRESH), 0)).toBe(1)
  for (const one of made) expect(one.count('GET /v1/stats/dashboard')).toBe(2)
  expect(await stored(page, 'authToken')).not.toBe(refused)
  await consoleErrors.expect(statusError(401))
})

test('[SESS-29] [SESS-31] [SESS-34] a session that was ended elsewhere ends at the next call', async ({
  page,
  gateway,
  merchant: { tokens },
  consoleErrors,
}) => {
  await storeTokens(page, tokens)
  // A page outside of the dashboard makes no automatic calls.
  await page.goto('/')
  const toDashboard = page.getByRole('banner').getByRole('link', { name: 'Dashboard' })
  await expect(toDashboard).toBeVisible()
  await call('POST', `${gateway.url}/v1/auth/signout`, { bearer: tokens.authToken })
  await toDashboard.click()
  await expectToast(page, SIGNED_OUT)
  // No message about the call is shown.
  await expect(page.locator('.toast')).toHaveCount(1)
  expect(await tokensIn(page)).toEqual([null, null])
  await consoleErrors.expect(statusError(401))
  await consoleErrors.expect(/could not be refreshed/)
})

const payload = (claims: object) => `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`

for (const [ids, what, refreshToken] of [
  ['[SESS-26]', 'no refresh token', null],
  ['[SESS-25] [SESS-27]', 'an expired refresh token', payload({ id: 'mer_1', exp: 1_000_000_000 })],
  ['[SESS-25] [SESS-28]', 'a malformed refresh token', 'broken'],
] as const) {
  test(`${ids} [SESS-31] with ${what} a refused call signs out, and no token is exchanged`, async ({
    page,
    consoleErrors,
  }) => {
    // The page may look at the end of the session before its call is refused.
    if (refreshToken === 'broken') consoleErrors.ignore(/malformed token/)
    const made = recordCalls(page)
    await page.goto('/favicon.svg')
    await page.evaluate(
      ([auth, refresh]) => {
        localStorage.setItem('authToken', auth as string)
        if (refresh) localStorage.setItem('refreshToken', refresh)
      },
      [payload({ id: 'mer_1', exp: 4_000_000_000 }), refreshToken],
    )
    await page.goto('/app/payments')
    await expectToast(page, SIGNED_OUT)
    await expect(page).toHaveURL('/')
    expect(made.count(REFRESH)).toBe(0)
    await consoleErrors.expect(statusError(401))
  })
}

test('a refresh whose first response is lost is retried without a sign-out', async ({
  page,
  merchant: { tokens },
  consoleErrors,
}) => {
  await openWithClock(page, tokens)
  await page.clock.runFor(2 * MINUTE)
  await page.mouse.move(300, 300)
  let lost = 0
  await page.route('**/v1/auth/refresh-token', async (route) => {
    // The server has exchanged the token, and the page has not received it.
    if (lost === 0) await route.fetch()
    lost += 1
    await (lost === 1 ? route.abort() : route.continue())
  })
  await page.clock.runFor(3 * MINUTE + SECOND)
  await expect.poll(() => lost).toBe(1)
  const answered = page.waitForResponse('**/v1/auth/refresh-token')
  await page.clock.runFor(2 * SECOND)
  const fresh = (await (await answered).json()) as Tokens
  await expect.poll(() => tokensIn(page)).toEqual([fresh.authToken, fresh.refreshToken])
  await expect(page).toHaveURL('/app')
  await consoleErrors.expect(/ERR_FAILED/)
})

test('[SESS-30] [SESS-31] [SESS-15] a refresh without a network for 20 seconds signs out', async ({
  page,
  context,
  merchant: { tokens },
  consoleErrors,
}) => {
  await openWithClock(page, tokens)
  await page.clock.runFor(2 * MINUTE)
  await page.mouse.move(300, 300)
  await context.setOffline(true)
  await page.clock.runFor(3 * MINUTE + SECOND)
  await page.waitForTimeout(200)
  expect(await tokensIn(page)).toEqual([tokens.authToken, tokens.refreshToken])
  // The toast shows for two seconds of this clock, and each attempt fails in the time of the browser.
  await expect(async () => {
    await page.clock.runFor(SECOND)
    await expect(page.getByText(SIGNED_OUT)).toBeVisible({ timeout: 50 })
  }).toPass({ intervals: [50] })
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await tokensIn(page)).toEqual([null, null])
  await consoleErrors.expect(/ERR_INTERNET_DISCONNECTED/)
  await consoleErrors.expect(/could not be refreshed/)
})

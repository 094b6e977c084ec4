import type { Page } from '@playwright/test'
import { expect, statusComplaint, storeTokens, test } from './fixtures.ts'
import { button, calls, forged, stored, title } from './lib/auth.ts'
import { call } from './lib/call.ts'
import type { Tokens } from './lib/merchant.ts'
import { toast } from './lib/toast.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const INACTIVE = 'You have been Signed out due to inactivity'
const SIGNED_OUT = 'Successfully signed out'
const EXPIRES_SOON = 'Your session will expire soon. Please save your work.'
const REFRESH = 'POST /v1/auth/refresh-token'

const tokensIn = async (page: Page) => [await stored(page, 'authToken'), await stored(page, 'refreshToken')]

/** The dashboard with a paused clock. */
async function openWithClock(page: Page, tokens: Tokens, path = '/app'): Promise<void> {
  await page.clock.install()
  // A jump of the clock makes the stream of updates look dead, so it is blocked here.
  await page.context().route('**/v1/live', () => {})
  await storeTokens(page, tokens)
  await page.goto(path)
  await expect(title(page, 'Dashboard')).toBeVisible()
  await expect(page.getByText('No recent transactions found')).toBeVisible()
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + SECOND)
}

/** The server's response to a token. */
const statusOf = async (gatewayUrl: string, { authToken }: Tokens): Promise<number> =>
  (await call('GET', `${gatewayUrl}/v1/stats/dashboard`, { bearer: authToken })).status

test('[SESS-06] [SESS-11] [SESS-14] [SESS-15] [SESS-16] [SESS-17] six minutes of inactivity sign out, here and on the server', async ({
  page,
  gateway,
  merchant: { tokens },
}) => {
  await openWithClock(page, tokens)
  await page.clock.runFor(5 * MINUTE + 25 * SECOND)
  await expect(page).toHaveURL('/app')
  const ended = page.waitForResponse('**/v1/auth/signout')
  const notice = page.locator('.toast-error').filter({ hasText: INACTIVE })
  // The toast shows for four seconds of this clock.
  for (let step = 0; step < 65 && (await notice.count()) === 0; step += 1) await page.clock.runFor(SECOND)
  await expect(notice).toBeVisible()
  await ended
  await page.clock.runFor(500)
  await expect(page).toHaveURL('/')
  expect(await tokensIn(page)).toEqual([null, null])
  expect(await statusOf(gateway.url, tokens)).toBe(401)
  await page.clock.runFor(5 * SECOND)
  await expect(notice).toBeHidden()
})

test('[SESS-18] moving, typing or scrolling keeps the session', async ({ page, merchant: { tokens } }) => {
  await openWithClock(page, tokens)
  const acts = [
    () => page.mouse.move(300, 300),
    () => page.keyboard.press('x'),
    () => page.mouse.click(700, 600),
    () => page.evaluate(() => document.querySelector('main')?.dispatchEvent(new Event('scroll'))),
  ]
  for (const act of acts) {
    await page.clock.runFor(5 * MINUTE)
    await act()
  }
  await page.clock.runFor(5 * MINUTE)
  await expect(page).toHaveURL('/app')
  expect(await stored(page, 'authToken')).not.toBeNull()
})

test('[SESS-16] work in one tab keeps the others signed in; then all are signed out with the reason', async ({
  page,
  context,
  merchant: { tokens },
}) => {
  await openWithClock(page, tokens)
  const other = await context.newPage()
  await other.goto('/app')
  await expect(title(other, 'Dashboard')).toBeVisible()
  // Idle for over four minutes in every fifth: no refresh is in progress when the session ends, although this
  // clock is faster than the network.
  for (const [x, idleMs] of [5 * MINUTE + 35 * SECOND, 5 * MINUTE, 5 * MINUTE].entries()) {
    await page.clock.runFor(idleMs)
    await other.mouse.move(300 + x, 300)
  }
  await expect(page).toHaveURL('/app')
  await expect(other).toHaveURL('/app')
  await page.clock.runFor(6 * MINUTE - SECOND)
  // The clock stops exactly at the end, because the tabs' messages disappear after some seconds.
  await expect(async () => {
    await page.clock.runFor(SECOND)
    for (const tab of [page, other]) expect(new URL(tab.url()).pathname).toBe('/')
  }).toPass({ intervals: [500] })
  for (const tab of [page, other]) {
    await expect(tab).toHaveURL('/')
    await expect(tab.getByText(INACTIVE)).toBeVisible()
  }
})

test('[SESS-19] [SESS-20] [SESS-21] [CALLS-09] [CALLS-10] every five minutes of activity fetch new tokens', async ({
  page,
  gateway,
  merchant: { tokens },
}) => {
  await openWithClock(page, tokens)
  const made = calls(page)
  await page.clock.runFor(2 * MINUTE)
  await page.mouse.move(300, 300)
  expect(made.count(REFRESH)).toBe(0)
  const answered = page.waitForResponse('**/v1/auth/refresh-token')
  await page.clock.runFor(3 * MINUTE + SECOND)
  const fresh = (await (await answered).json()) as Tokens
  expect(made.body(REFRESH)).toEqual({ refreshToken: tokens.refreshToken })
  await expect.poll(() => tokensIn(page)).toEqual([fresh.authToken, fresh.refreshToken])
  expect(await statusOf(gateway.url, fresh)).toBe(200)

  // Idle for more than 4 minutes at the next turn, and for 6 soon after: a refresh is no activity.
  await page.clock.runFor(3 * MINUTE)
  await expect(page).toHaveURL('/app')
  await page.clock.runFor(MINUTE + SECOND)
  await expect(page).toHaveURL('/')
  expect(made.count(REFRESH)).toBe(1)
})

test('[SESS-23] [SESS-24] [SESS-32] [SESS-33] [CALLS-03] two tabs that are refused together trade the token once', async ({
  page,
  context,
  merchant: { tokens },
  complaints,
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
  const made = tabs.map(calls)
  const refused = forged(tokens.authToken)
  await page.evaluate((token) => localStorage.setItem('authToken', token), refused)
  // By the clock that both share: two clicks of ours are so far apart that the second finds the new token.
  const at = Date.now() + 500
  const press = (refresh: Element, then: number) =>
    new Promise((pressed) => setTimeout(() => pressed((refresh as HTMLElement).click()), then - Date.now()))
  await Promise.all(tabs.map((tab) => button(tab, 'Refresh').evaluate(press, at)))
  for (const tab of tabs) {
    await expect(button(tab, 'Refresh')).toBeEnabled()
    await expect(tab).toHaveURL('/app')
    await expect(tab.getByRole('alert')).toHaveCount(0)
  }
  expect(made.reduce((sum, one) => sum + one.count(REFRESH), 0)).toBe(1)
  for (const one of made) expect(one.count('GET /v1/stats/dashboard')).toBe(2)
  expect(await stored(page, 'authToken')).not.toBe(refused)
  await complaints.expect(statusComplaint(401))
})

test('[SESS-29] [SESS-31] [SESS-34] a session that was ended elsewhere ends here at the next call', async ({
  page,
  gateway,
  merchant: { tokens },
  complaints,
}) => {
  await storeTokens(page, tokens)
  // A page outside of the dashboard, which makes no calls automatically.
  await page.goto('/')
  const toDashboard = page.getByRole('banner').getByRole('link', { name: 'Dashboard' })
  await expect(toDashboard).toBeVisible()
  await call('POST', `${gateway.url}/v1/auth/signout`, { bearer: tokens.authToken })
  await toDashboard.click()
  await expect(toast(page, SIGNED_OUT)).toBeVisible()
  // Not a word about the call itself.
  await expect(page.locator('.toast')).toHaveCount(1)
  expect(await tokensIn(page)).toEqual([null, null])
  await complaints.expect(statusComplaint(401))
  await complaints.expect(/could not be refreshed/)
})

const payload = (claims: object) => `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`

for (const [ids, what, refreshToken] of [
  ['[SESS-26]', 'no refresh token', null],
  ['[SESS-25] [SESS-27]', 'an expired refresh token', payload({ id: 'mer_1', exp: 1_000_000_000 })],
  ['[SESS-25] [SESS-28]', 'a malformed refresh token', 'broken'],
] as const) {
  test(`${ids} [SESS-31] with ${what} a refused call signs out, and nothing is traded`, async ({
    page,
    complaints,
  }) => {
    const made = calls(page)
    await page.goto('/favicon.svg')
    await page.evaluate(
      ([auth, refresh]) => {
        localStorage.setItem('authToken', auth as string)
        if (refresh) localStorage.setItem('refreshToken', refresh)
      },
      [payload({ id: 'mer_1', exp: 4_000_000_000 }), refreshToken],
    )
    await page.goto('/app/payments')
    await expect(toast(page, SIGNED_OUT)).toBeVisible()
    await expect(page).toHaveURL('/')
    expect(made.count(REFRESH)).toBe(0)
    await complaints.expect(statusComplaint(401))
  })
}

test('a refresh whose first answer is lost is sent again, and nobody is signed out', async ({
  page,
  merchant: { tokens },
  complaints,
}) => {
  await openWithClock(page, tokens)
  await page.clock.runFor(2 * MINUTE)
  await page.mouse.move(300, 300)
  let lost = 0
  await page.route('**/v1/auth/refresh-token', async (route) => {
    // The server has exchanged the token, and the page does not know it.
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
  await complaints.expect(/ERR_FAILED/)
})

test('[SESS-30] [SESS-31] [SESS-15] a refresh that meets no network for 20 seconds signs out', async ({
  page,
  context,
  merchant: { tokens },
  complaints,
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
  await complaints.expect(/ERR_INTERNET_DISCONNECTED/)
  await complaints.expect(/could not be refreshed/)
})

test('[SESS-35] [SESS-36] [CONST-02] in its last hour a stored session shows a warning of its end, for 10 s', async ({
  page,
  merchant: { tokens },
}) => {
  const { exp } = JSON.parse(
    Buffer.from(tokens.refreshToken.split('.')[1] ?? '', 'base64url').toString(),
  ) as {
    exp: number
  }
  await page.clock.install({ time: exp * 1000 - 59 * MINUTE })
  await storeTokens(page, tokens)
  await page.goto('/')
  const warning = page.locator('.toast-blank').filter({ hasText: EXPIRES_SOON })
  await expect(warning).toBeVisible()
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 5 * SECOND)
  await expect(warning).toBeVisible()
  await page.clock.runFor(6 * SECOND)
  await expect(warning).toBeHidden()
})

test('[SESS-35] a session with more than an hour left is not warned', async ({
  page,
  merchant: { tokens },
}) => {
  await openWithClock(page, tokens)
  await page.clock.runFor(5 * SECOND)
  await expect(page.getByText(EXPIRES_SOON)).toHaveCount(0)
})

test('[SESS-38] [R-09] a token that cannot be read is only logged', async ({ page, complaints }) => {
  await page.goto('/favicon.svg')
  await page.evaluate(() => {
    localStorage.setItem('authToken', 'broken')
    localStorage.setItem('refreshToken', 'broken')
  })
  await page.goto('/')
  await expect(page.getByRole('banner').getByRole('button', { name: 'Sign Out' })).toBeVisible()
  await page.waitForTimeout(1500)
  await expect(page.locator('.toast')).toHaveCount(0)
  await complaints.expect(/The stored session could not be read/)
  await complaints.expect(/The end of the session could not be read/)
})

test('[SESS-12] [SESS-13] [CONST-03] signing out shows a green message for 2 s', async ({
  page,
  merchant: { tokens },
}) => {
  await openWithClock(page, tokens)
  // A click waits for stable elements, and with a paused clock animations never end.
  await page.getByRole('button', { name: 'Sign Out' }).dispatchEvent('click')
  await expect
    .poll(() =>
      page
        .getByRole('dialog')
        .count()
        .finally(() => page.clock.runFor(100)),
    )
    .toBe(1)
  await page.getByRole('dialog').getByRole('button', { name: 'Sign Out' }).dispatchEvent('click')
  await page.clock.runFor(1100)
  await expect(page).toHaveURL('/')
  const notice = page.locator('.toast-success').filter({ hasText: SIGNED_OUT })
  await expect(notice).toBeVisible()
  await page.clock.runFor(1500)
  await expect(notice).toBeVisible()
  await page.clock.runFor(1000)
  await expect(notice).toBeHidden()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible()
})

test('a browser that refuses its storage shows every page', async ({ page }) => {
  await page.addInitScript(() =>
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('Access is denied for this document', 'SecurityError')
      },
    }),
  )
  await page.goto('/auth/signin')
  await expect(page.getByLabel('Email')).toBeVisible()
  await page.goto('/app')
  await expect(page).toHaveURL('/')
})

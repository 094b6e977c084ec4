import { expect, storeTokens, test } from './fixtures.ts'
import { stored, title } from './lib/page.ts'
import { MINUTE, openWithClock, SECOND, SIGNED_OUT, statusOf, tokensIn } from './lib/session.ts'

const INACTIVE = 'You have been Signed out due to inactivity'
const EXPIRES_SOON = 'Your session will expire soon. Please save your work.'

test('[SESS-06] [SESS-11] [SESS-14] [SESS-15] [SESS-16] [SESS-17] six minutes of inactivity sign out in the browser and on the server', async ({
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
    () => title(page, 'Dashboard').click(),
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

test('[SESS-16] activity in one tab keeps the others signed in; inactivity signs all out with the reason', async ({
  page,
  context,
  merchant: { tokens },
}) => {
  await openWithClock(page, tokens)
  const other = await context.newPage()
  await other.goto('/app')
  await expect(title(other, 'Dashboard')).toBeVisible()
  // The tabs are idle for over four minutes in every five, so no refresh is in progress when the session ends, although this
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

test('[SESS-35] a session with more than an hour left shows no warning', async ({
  page,
  merchant: { tokens },
}) => {
  await openWithClock(page, tokens)
  await page.clock.runFor(5 * SECOND)
  await expect(page.getByText(EXPIRES_SOON)).toHaveCount(0)
})

test('[SESS-38] [R-09] a token that cannot be read is only logged', async ({ page, consoleErrors }) => {
  await page.goto('/favicon.svg')
  await page.evaluate(() => {
    localStorage.setItem('authToken', 'broken')
    localStorage.setItem('refreshToken', 'broken')
  })
  await page.goto('/')
  await expect(page.getByRole('banner').getByRole('button', { name: 'Sign Out' })).toBeVisible()
  await page.waitForTimeout(1500)
  await expect(page.locator('.toast')).toHaveCount(0)
  await consoleErrors.expect(/The stored session could not be read/)
  await consoleErrors.expect(/The end of the session could not be read/)
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

import { call } from '@muripo/rig/call'
import { expect, statusError, test } from './fixtures.ts'
import { OFFLINE } from './lib/applications.ts'
import { respondLikeProxy } from './lib/auth.ts'
import { checkLayout, checkWidths } from './lib/check-page.ts'
import { withoutTable } from './lib/database.ts'
import { focusedName, holdStats, refresh, region, STATS } from './lib/overview.ts'
import { button, expectToast, recordCalls } from './lib/page.ts'

const NO_WORDS = 'Failed to load dashboard stats'

test.use({ viewport: { width: 1440, height: 900 } })

test('[DASH-17] [DASH-18] [DASH-20] [ERR-20] [ERR-21] [ERR-22] [SESS-32] [SESS-29] an error is shown on the page and in a toast, and loaded figures remain', async ({
  page,
  context,
  gateway,
  merchant,
  openDashboard,
  consoleErrors,
}) => {
  const empty = page.getByText('No recent transactions found')
  const inline = page.getByRole('main').getByRole('alert')
  const expectMessage = async (words: string) => {
    await expectToast(page, words)
    await expect(inline).toContainText(words)
    await expect(button(page, 'Try Again')).toBeEnabled()
  }

  await withoutTable(gateway.dataDir, 'application_figures', async () => {
    const answered = page.waitForResponse('**/v1/stats/dashboard')
    await openDashboard()
    const { message } = await (await answered).json()
    await expectMessage(message)
    await expect(region(page, 'Summary')).toHaveCount(0)
    await checkWidths(page, 'overview-error')
  })
  await button(page, 'Try Again').press('Enter')
  await expect(empty).toBeVisible()
  await expect(inline).toHaveCount(0)
  // The pressed button is gone, and the focus moves to the content a moment later.
  await expect(page.locator('#content')).toBeFocused()
  await page.keyboard.press('Tab')
  expect(await focusedName(page)).toBe('Refresh')

  await context.setOffline(true)
  await refresh(page).press('Enter')
  await expectMessage(OFFLINE)
  await expect(empty).toBeVisible()
  await checkWidths(page, 'overview-offline', checkLayout)
  // The page detects the restored network without a click and without a visible change.
  const release = await holdStats(page)
  const request = page.waitForRequest('**/v1/stats/dashboard')
  await context.setOffline(false)
  await request
  await expect(refresh(page)).toBeEnabled()
  await expect(empty).toBeVisible()
  await release()
  await expect(inline).toHaveCount(0)

  await respondLikeProxy(page, '/stats/dashboard')
  await refresh(page).press('Enter')
  await expectMessage(NO_WORDS)
  await page.unrouteAll()
  await button(page, 'Try Again').press('Enter')
  await expect(inline).toHaveCount(0)

  await page.evaluate(() => localStorage.setItem('authToken', 'broken'))
  const made = recordCalls(page)
  await refresh(page).press('Enter')
  await expect.poll(() => made.count(STATS)).toBe(2)
  await expect(refresh(page)).toBeEnabled()
  expect(made.names()).toEqual([STATS, 'POST /v1/auth/refresh-token', STATS])
  await expect(inline).toHaveCount(0)

  const authToken = await page.evaluate(() => localStorage.getItem('authToken') ?? '')
  expect(authToken).not.toBe(merchant.tokens.authToken)
  await call('POST', `${gateway.url}/v1/auth/signout`, { bearer: authToken })
  await refresh(page).press('Enter')
  await expect(page).toHaveURL('/')
  await expectToast(page, 'Successfully signed out')

  for (const kind of [
    statusError(500),
    statusError(502),
    statusError(401),
    /ERR_INTERNET_DISCONNECTED/,
    /could not be refreshed/,
  ]) {
    await consoleErrors.expect(kind)
  }
})

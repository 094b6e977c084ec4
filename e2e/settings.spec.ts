import { call, callOk } from '@muripo/rig/call'
import type { Account, Tokens } from '@muripo/rig/merchant'
import type { BrowserContext, Page } from '@playwright/test'
import { type ConsoleErrors, expect, type Gateway, statusError, test } from './fixtures.ts'
import { dialogNamed, OFFLINE, OUR_ERROR } from './lib/applications.ts'
import { codeAfter } from './lib/auth.ts'
import { checkLayout, checkWidths } from './lib/check-page.ts'
import { query, withoutColumn } from './lib/database.ts'
import { button, expectToast, holdRequests, recordCalls } from './lib/page.ts'

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const sessions = (page: Page) => page.getByRole('table', { name: 'Sessions' })
const sessionRows = (page: Page) =>
  sessions(page)
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
/** Signs in on another device of a merchant who has received this number of codes. */
async function signInAgain(gateway: Gateway, account: Account, earlier: number): Promise<Tokens> {
  const auth = `${gateway.url}/v1/auth`
  const { otpId } = await callOk<{ otpId: string }>('POST', `${auth}/signin`, { body: account })
  const otp = await codeAfter(gateway, account.email, earlier)
  return callOk('POST', `${auth}/verify-otp/${otpId}`, { body: { purpose: 'signin', otp } })
}
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })

const isIn = async (url: string, { authToken }: Tokens) =>
  (await call('GET', `${url}/v1/account`, { bearer: authToken })).status === 200
/** Names the browsers and the network of the merchant's sessions. The tests sign in without a browser. */
const nameSessions = (dataDir: string, email: string) =>
  query(
    dataDir,
    `update sessions set network = '41.220.12.x', browser =
       (case when created_at = (select min(created_at) from sessions s where s.merchant_id = sessions.merchant_id)
        then 'Chrome on Windows' else 'Safari on iOS' end)
     where merchant_id = (select id from merchants where email = $1)`,
    [email],
  )

test('[SET-01] the account is shown, its time zone changes, and a new password ends the other sessions', async ({
  page,
  context,
  consoleErrors,
  gateway,
  merchant: { account },
  seller,
  openDashboard,
}) => {
  const createdAt = new Date()
  await seller.pay()
  const phone = await signInAgain(gateway, account, 1)
  await nameSessions(gateway.dataDir, account.email)
  const release = await holdRequests(page, '**/v1/account**')
  await openDashboard('/app/settings')
  await expect(section(page, 'Profile')).toHaveAttribute('aria-busy', 'true')
  await checkWidths(page, 'settings-loading', checkLayout)
  await release()
  await expectAccount(page, account.email)
  await changeTimeZone(page, context, consoleErrors)
  await changePassword({ page, context, consoleErrors, current: account.password })
  await expect(sessionRows(page)).toHaveCount(1)
  expect(await isIn(gateway.url, phone)).toBe(false)
  await expect
    .poll(async () => (await gateway.mailbox(account.email))[0]?.subject)
    .toBe('Your Muripo password was changed')

  await page.goto('/app')
  const day = new Intl.DateTimeFormat('en-US', {
    timeZone: 'Asia/Tokyo',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
  }).format(createdAt)
  const hour = new Intl.DateTimeFormat('en-US', { timeZone: 'Asia/Tokyo', hour: '2-digit' })
  const [figure] = hour.format(createdAt).split(' ')
  await expect(page.getByText(new RegExp(`^${day}, ${figure}:`)).first()).toBeVisible()
})

async function expectAccount(page: Page, email: string): Promise<void> {
  const profile = section(page, 'Profile')
  for (const value of ['Tariro Moyo', email, '+263771234567', 'Business'])
    await expect(profile.getByText(value, { exact: true })).toBeVisible()
  await expect(page.getByText('settings coming soon ...', { exact: true })).toBeVisible()
  await expect(sessionRows(page)).toHaveText([
    /^Chrome on Windows.*This device.*today.*today.*41\.220\.12\.x$/,
    /^Safari on iOS.*Sign out$/,
  ])
  await expect(sessions(page).getByRole('columnheader')).toHaveText([
    'Device',
    'Signed in',
    'Last used',
    'Address',
    'Actions',
  ])
  await checkWidths(page, 'settings')
}

async function changeTimeZone(
  page: Page,
  context: BrowserContext,
  consoleErrors: ConsoleErrors,
): Promise<void> {
  const zone = page.getByRole('combobox', { name: 'Time zone' })
  await expect(zone).toHaveValue('Africa/Harare (GMT+2)')
  await zone.fill('atlantis')
  await expect(page.getByText(/^No time zone has this name/)).toBeVisible()
  await zone.fill('tok')
  await expect(page.getByRole('option', { name: 'Asia/Tokyo (GMT+9)' })).toBeInViewport()
  await checkWidths(page, 'settings-zones', checkLayout)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(zone).toHaveValue('Asia/Tokyo (GMT+9)')
  await context.setOffline(true)
  await button(page, 'Save Time Zone').click()
  await expect(section(page, 'Time zone').getByRole('alert')).toHaveText(OFFLINE)
  await context.setOffline(false)
  await consoleErrors.expect(/ERR_INTERNET_DISCONNECTED/)
  consoleErrors.ignore(/v1\/live/)
  await button(page, 'Save Time Zone').click()
  await expectToast(page, 'Time zone saved')
  await expect(sessionRows(page).first().locator('time').first()).toHaveAttribute('title', /GMT\+9$/)
}

interface PasswordChange {
  readonly page: Page
  readonly context: BrowserContext
  readonly consoleErrors: ConsoleErrors
  readonly current: string
}

async function changePassword({ page, context, consoleErrors, current }: PasswordChange): Promise<void> {
  await button(page, 'Change Password').click()
  await expect(page.getByText('Current password is required')).toBeVisible()
  await expect(page.getByText('New password is required')).toBeVisible()
  await expect(field(page, 'Current password')).toBeFocused()
  await checkWidths(page, 'settings-password-errors')
  await page.keyboard.type('a wrong guess')
  await field(page, 'New password').fill(current)
  await page.keyboard.press('Enter')
  await expect(page.getByText('The current password is not correct')).toBeVisible()
  await expect(field(page, 'Current password')).toBeFocused()
  await consoleErrors.expect(statusError(422))
  await expect(field(page, 'Current password')).toHaveValue('a wrong guess')
  await field(page, 'Current password').fill(current)
  await field(page, 'New password').fill(current)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Please choose a password other than the current one')).toBeVisible()
  await expect(field(page, 'New password')).toBeFocused()
  await field(page, 'New password').fill('a sentence that is longer')
  await context.setOffline(true)
  await page.keyboard.press('Enter')
  await expect(section(page, 'Password').getByRole('alert')).toHaveText(OFFLINE)
  await expect(field(page, 'New password')).toHaveValue('a sentence that is longer')
  await context.setOffline(false)
  await consoleErrors.expect(/ERR_INTERNET_DISCONNECTED/)
  await page.keyboard.press('Enter')
  await expectToast(page, 'Password changed. Every other device was signed out.')
  await expect(field(page, 'Current password')).toHaveValue('')
}

test('one session and then all sessions are ended after a confirmation; a part that cannot be read shows an error in its place', async ({
  page,
  consoleErrors,
  gateway,
  merchant: { account },
  openDashboard,
}) => {
  const { dataDir } = gateway
  const phone = await signInAgain(gateway, account, 1)
  const till = await signInAgain(gateway, account, 2)
  await nameSessions(dataDir, account.email)
  await openDashboard('/app/reconciliations')
  // The tables of these two parts are missing.
  await withoutColumn(dataDir, 'merchants', 'phone', async () => {
    await query(dataDir, 'alter table sessions rename column network to network_away')
    await page.goto('/app/settings')
    await expect(page.getByRole('alert').filter({ hasText: OUR_ERROR })).toHaveCount(2)
    await checkWidths(page, 'settings-unread')
    await query(dataDir, 'alter table sessions rename column network_away to network')
  })
  await consoleErrors.expect(statusError(500))
  await button(page, 'Try Again').first().click()
  await expect(section(page, 'Profile').getByText(account.email)).toBeVisible()
  await button(page, 'Try Again').click()
  await expect(sessionRows(page)).toHaveCount(3)

  const made = recordCalls(page)
  await sessionRows(page).last().getByRole('button', { name: 'Sign out Safari on iOS' }).press('Enter')
  await expectToast(page, 'Safari on iOS was signed out')
  await expect(sessionRows(page)).toHaveCount(2)
  await expect(sessions(page)).toBeFocused()
  expect([await isIn(gateway.url, phone), await isIn(gateway.url, till)].filter(Boolean)).toHaveLength(1)

  const everywhere = button(page, 'Sign Out Everywhere')
  await everywhere.press('Enter')
  const confirmation = dialogNamed(page, 'Sign out everywhere?')
  await expect(confirmation).toBeVisible()
  await checkWidths(page, 'settings-everywhere')
  await page.keyboard.press('Escape')
  await expect(confirmation).toBeHidden()
  await expect(everywhere).toBeFocused()
  await everywhere.click()
  await confirmation.getByRole('button', { name: 'Sign Out Everywhere' }).click()
  await expect(page).toHaveURL('/')
  await expectToast(page, 'Successfully signed out')
  expect(made.count('DELETE /v1/account/sessions')).toBe(1)
  for (const tokens of [phone, till]) expect(await isIn(gateway.url, tokens)).toBe(false)
  await page.goBack()
  await expect(page).not.toHaveURL(/settings/)
})

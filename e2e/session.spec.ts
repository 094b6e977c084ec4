import { mailedCode } from '@muripo/rig/merchant'
import type { Page } from '@playwright/test'
import { expect, statusError, storeTokens, test } from './fixtures.ts'
import { enterCode, forged } from './lib/auth.ts'
import { checkPage } from './lib/check-page.ts'
import { expectToast, title } from './lib/page.ts'

const storedTokens = (page: Page) =>
  page.evaluate(() => [localStorage.getItem('authToken'), localStorage.getItem('refreshToken')])

const merchantPages = [
  ['/app', 'Dashboard'],
  ['/app/payments', 'Payments'],
  ['/app/applications', 'Applications'],
] as const

test('[SESS-05] a session survives a reload on every page', async ({ page, openDashboard }) => {
  for (const [path, heading] of merchantPages) {
    await openDashboard(path)
    await expect(title(page, heading)).toBeVisible()
    await page.reload()
    await expect(title(page, heading)).toBeVisible()
    await expect(page).toHaveURL(path)
  }
})

test('[SIGNIN-07] [SIGNIN-08] [SIGNIN-09] sign-in shows an error beside a wrong field, until it is edited', async ({
  page,
}) => {
  await page.goto('/auth/signin')
  const email = page.getByLabel('Email')
  const password = page.getByLabel('Password', { exact: true })
  const submit = page.getByRole('button', { name: 'Sign In', exact: true })
  await submit.click()
  await expect(email).toHaveAccessibleDescription('Email is required')
  await expect(email).toBeFocused()
  await expect(password).toHaveAccessibleDescription('Password is required')
  await checkPage(page, 'sign-in-empty')
  await email.fill('tariro@example')
  await expect(page.getByText('Email is required')).toBeHidden()
  await submit.click()
  await expect(email).toHaveAccessibleDescription('Please enter a valid email')
})

test('[SIGNIN-02] the password is shown and hidden', async ({ page }) => {
  await page.goto('/auth/signin')
  const password = page.getByLabel('Password', { exact: true })
  await expect(password).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show or hide password' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Show or hide password' }).click()
  await expect(password).toHaveAttribute('type', 'password')
})

test('[ERR-07] [OTP-02] [OTP-04] [OTP-05] [ERR-16] a wrong password and a wrong code each have a message', async ({
  page,
  gateway,
  merchant: { account },
  consoleErrors,
}) => {
  await page.goto('/auth/signin')
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill('something else')
  await page.keyboard.press('Enter')
  await expectToast(page, 'The email or the password is not correct')
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.keyboard.press('Enter')
  await expect(title(page, 'Enter your code')).toBeVisible()

  const boxes = page.getByRole('textbox', { name: 'One-time code' })
  const verify = page.getByRole('button', { name: 'Verify code' })
  await verify.click()
  await expect(page.getByRole('alert').filter({ hasText: 'OTP is required' })).toBeVisible()
  await boxes.first().focus()
  await page.keyboard.type('1a2')
  await expect(page.getByText('OTP is required')).toBeHidden()
  await expect(boxes.nth(1)).toHaveValue('2')
  await verify.click()
  await expect(page.getByRole('alert').filter({ hasText: 'OTP must be 6 digits' })).toBeVisible()
  await checkPage(page, 'verify-code-short')

  const code = await mailedCode(gateway.url, account.email)
  await enterCode(page, code === '000000' ? '000001' : '000000')
  await expectToast(page, 'The code is not correct')
  await expect(boxes.first()).toBeFocused()
  await page.keyboard.type(code)
  await expectToast(page, 'OTP verified successfully! Welcome back.')
  await expect(page).toHaveURL('/app')
  await consoleErrors.expect(statusError(401))
  await consoleErrors.expect(statusError(400))
})

test('[SESS-21] [SESS-32] [SESS-33] a refused token is exchanged once, unnoticed by the page', async ({
  page,
  merchant: { tokens },
  consoleErrors,
}) => {
  await storeTokens(page, { ...tokens, authToken: forged(tokens.authToken) })
  const trades: string[] = []
  page.on('request', (request) => request.url().endsWith('/refresh-token') && trades.push(request.url()))
  await page.goto('/app')
  await expect(page.getByText('No recent transactions found')).toBeVisible()
  expect(trades).toHaveLength(1)
  const [authToken, refreshToken] = await storedTokens(page)
  expect(authToken).not.toBe(forged(tokens.authToken))
  expect(refreshToken).not.toBe(tokens.refreshToken)
  await consoleErrors.expect(statusError(401))
})

test('[SESS-29] [SESS-31] [SESS-15] a session that cannot be renewed is signed out', async ({
  page,
  merchant: { tokens },
  consoleErrors,
}) => {
  await storeTokens(page, {
    authToken: forged(tokens.authToken),
    refreshToken: forged(tokens.refreshToken),
  })
  await page.goto('/app/payments')
  await expectToast(page, 'Successfully signed out')
  await expect(page).toHaveURL('/')
  await expect(page.locator('.toast')).toHaveCount(1)
  expect(await storedTokens(page)).toEqual([null, null])
  await consoleErrors.expect(statusError(401))
  await consoleErrors.expect(/The session could not be refreshed/)
})

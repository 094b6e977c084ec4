import { type Account, newEmail } from '@muripo/rig/merchant'
import type { Page } from '@playwright/test'
import { expect, statusError, test } from './fixtures.ts'
import { enterCode, respondLikeProxy } from './lib/auth.ts'
import { button, expectToast, toast } from './lib/page.ts'
import { pdf } from './lib/pdf.ts'

const aCode = '/auth/verify-otp/otp_00000000000000000000000000'
const aSession = '/auth/password/set-new/otp_00000000000000000000000000'
const CHECK_CONNECTION = 'Network error. Please check your connection and try again.'
const TRY_AGAIN = 'Network error. Please try again.'

/** Fills each form of the auth pages, and returns the press on its button. */
const forms = {
  async signIn(page: Page, { email }: Pick<Account, 'email'>) {
    await page.goto('/auth/signin')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('something else')
    return () => button(page, 'Sign In').click()
  },
  async signUp(page: Page, { email }: Pick<Account, 'email'>) {
    await page.goto('/auth/signup')
    await page.getByLabel('Full name').fill('Tariro Moyo')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Phone number').fill('077 123 4567')
    await page.getByLabel('Password', { exact: true }).fill('a long sentence')
    await page.getByRole('combobox', { name: 'Identification document type' }).selectOption('Tax ID')
    await page.locator('input[type=file]').setInputFiles(pdf)
    return () => button(page, 'Create account').click()
  },
  async code(page: Page) {
    await page.goto(aCode)
    await enterCode(page, '12345')
    return () => page.keyboard.type('6')
  },
  async resend(page: Page) {
    await page.clock.install()
    await page.goto(aCode)
    await expect(page.getByRole('button', { name: /^Resend code in/ })).toBeDisabled()
    await page.clock.runFor(20_000)
    return () => button(page, 'Resend code').click()
  },
  async forgot(page: Page, { email }: Pick<Account, 'email'>) {
    await page.goto('/auth/forgot-password')
    await page.getByLabel('Email').fill(email)
    return () => button(page, 'Send code').click()
  },
  async setNew(page: Page) {
    await page.goto(aSession)
    await page.getByLabel('OTP', { exact: true }).fill('123456')
    await page.getByLabel('New password', { exact: true }).fill('a long sentence')
    await page.getByLabel('Confirm password', { exact: true }).fill('a long sentence')
    return () => button(page, 'Set new password').click()
  },
}

for (const [ids, form, path, sentence, offline] of [
  ['[ERR-01] [ERR-08]', 'signIn', '/auth/signin', 'Sign in failed. Please try again.', CHECK_CONNECTION],
  ['[ERR-02] [ERR-11]', 'signUp', '/auth/signup', 'Signup failed. Please try again.', TRY_AGAIN],
  ['[ERR-05] [ERR-12]', 'forgot', '/auth/password/forgot', 'Failed to send reset instructions', TRY_AGAIN],
  ['[ERR-06] [ERR-13]', 'setNew', '/auth/password/setnew/*', 'Failed to set new password', TRY_AGAIN],
] as const)
  test(`${ids} [R-02] the form ${form} shows "${sentence}" for a response without a message, and "${offline}" without a network`, async ({
    page,
    context,
    consoleErrors,
  }) => {
    await respondLikeProxy(page, path)
    const press = await forms[form](page, { email: newEmail() })
    await press()
    await expectToast(page, sentence)
    await expect(page.locator('.toast')).toHaveCount(1)
    await consoleErrors.expect(statusError(502))
    await page.unrouteAll()
    await context.setOffline(true)
    await press()
    await expectToast(page, offline)
    await consoleErrors.expect(/ERR_INTERNET_DISCONNECTED/)
  })

for (const [ids, form, path, sentence] of [
  ['[ERR-03]', 'code', '/auth/verify-otp/*', 'OTP verification failed. Please try again.'],
  ['[ERR-04]', 'resend', '/auth/resend-otp/*', 'Failed to resend OTP. Please try again.'],
  ['[R-20]', 'signUp', '/files/upload', 'File upload failed'],
] as const)
  test(`${ids} a response without a message to ${path} is shown as "${sentence}"`, async ({
    page,
    consoleErrors,
  }) => {
    await respondLikeProxy(page, path)
    const press = await forms[form](page, { email: newEmail() })
    await press()
    await expectToast(page, sentence)
    await expect(page.locator('.toast')).toHaveCount(1)
    await consoleErrors.expect(statusError(502))
  })

for (const [ids, form] of [
  ['[ERR-09]', 'code'],
  ['[ERR-10]', 'resend'],
] as const)
  test(`${ids} [R-02] without a network the form ${form} shows "${CHECK_CONNECTION}"`, async ({
    page,
    context,
    consoleErrors,
  }) => {
    const press = await forms[form](page)
    await context.setOffline(true)
    await press()
    await expectToast(page, CHECK_CONNECTION)
    await consoleErrors.expect(/ERR_INTERNET_DISCONNECTED/)
  })

test('[ERR-07] the server’s message is shown when the response has one', async ({
  page,
  merchant: { account },
  consoleErrors,
}) => {
  for (const [form, status, sentence] of [
    ['signIn', 401, 'The email or the password is not correct'],
    ['signUp', 409, 'An account with this email already exists'],
    ['code', 410, 'The code has expired. Please sign in again'],
    ['setNew', 410, 'The code has expired. Please ask for a new one'],
    ['resend', 410, 'The code has expired. Please sign in again'],
  ] as const) {
    const press = await forms[form](page, account)
    await press()
    await expectToast(page, sentence)
    await consoleErrors.expect(statusError(status))
  }

  // This call has the same response for every caller, so only an internal error differs.
  const trouble = 'The service is not available right now. Please try again'
  await page.route('**/v1/auth/password/forgot', (route) =>
    route.fulfill({ status: 503, json: { message: trouble, code: 'service_unavailable' } }),
  )
  const press = await forms.forgot(page, account)
  await press()
  await expectToast(page, trouble)
  await consoleErrors.expect(statusError(503))
})

test('[R-21] a 401 on sign-in never refreshes', async ({ page, consoleErrors }) => {
  const press = await forms.signIn(page, { email: newEmail() })
  const refreshes: string[] = []
  page.on('request', (request) => request.url().includes('refresh-token') && refreshes.push(request.url()))
  await page.evaluate(() => localStorage.setItem('refreshToken', 'broken'))
  await press()
  await expectToast(page, 'The email or the password is not correct')
  expect(refreshes).toEqual([])
  await consoleErrors.expect(statusError(401))
})

test('[CONST-01] [CONST-04] [R-10] an error stays for 4 s at top centre, and at most 20 show', async ({
  page,
  context,
  consoleErrors,
}) => {
  await page.clock.install()
  await forms.signIn(page, { email: newEmail() })
  const press = () => page.getByLabel('Password', { exact: true }).press('Enter')
  await page.clock.pauseAt(Date.now() + 60_000)
  await context.setOffline(true)
  const shown = page.locator('.toast')
  await press()
  await expect(shown).toHaveCount(1)
  await page.clock.runFor(500)
  const box = await shown.boundingBox()
  const width = page.viewportSize()?.width ?? 0
  expect(Math.abs((box?.x ?? 0) + (box?.width ?? 0) / 2 - width / 2)).toBeLessThan(2)
  expect(box?.y).toBeLessThan(60)
  await page.clock.runFor(3400)
  await expect(shown).toHaveCount(1)
  await page.clock.runFor(700)
  await expect(shown).toHaveCount(0)

  for (let presses = 0; presses < 22; presses += 1) {
    await press()
    await expect(button(page, 'Sign In')).toBeEnabled()
  }
  await expect(shown).toHaveCount(20)
  await consoleErrors.expect(/ERR_INTERNET_DISCONNECTED/)
})

test('[CONST-03] a success message stays for 2 s', async ({ page, merchant: { account } }) => {
  await page.clock.install()
  await page.goto('/auth/signin')
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.getByLabel('Password', { exact: true }).press('Enter')
  const reported = toast(page, 'Successfully signed in! Please check your email for OTP.')
  await expect(reported).toBeVisible()
  await page.clock.runFor(1900)
  await expect(reported).toBeVisible()
  await page.clock.runFor(700)
  await expect(reported).toBeHidden()
})

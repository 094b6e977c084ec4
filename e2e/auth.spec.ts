import { expect, test } from './fixtures.ts'
import { codeAfter, codeBoxes, enterCode, passwordStep } from './lib/auth.ts'
import { checkEveryWidth } from './lib/check-page.ts'
import { ageCodes } from './lib/database.ts'
import { button, expectToast, recordCalls, stored, title, toast } from './lib/page.ts'

test('[SIGNIN-01] [SIGNIN-03] [SIGNIN-05] [SIGNIN-06] sign-in has its fields and links', async ({ page }) => {
  await page.goto('/auth/signin')
  await expect(page.getByLabel('Email')).toHaveAttribute('type', 'email')
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'password')
  await expect(page.getByRole('checkbox', { name: 'Remember me' })).not.toBeChecked()
  await checkEveryWidth(page, 'sign-in')
  await page.locator('main a[href="/auth/forgot-password"]').click()
  await expect(title(page, 'Forgot your password?')).toBeVisible()
  await page.goBack()
  await page.locator('main a[href="/auth/signup"]').click()
  await expect(title(page, 'Create your account')).toBeVisible()
})

test('[OTP-01] [OTP-10] the page of the code has six boxes and a link back', async ({ page, merchant }) => {
  await passwordStep(page, merchant.account)
  await expect(codeBoxes(page)).toHaveCount(6)
  await expect(codeBoxes(page).first()).toBeFocused()
  await expect(toast(page, 'Successfully signed in! Please check your email for OTP.')).toBeHidden()
  await checkEveryWidth(page, 'code')
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await expect(page).toHaveURL('/auth/signin')
})

test('[CALLS-01] [SIGNIN-10] [SIGNIN-11] [ERR-14] [ERR-16] [CALLS-11] [CALLS-12] [CALLS-17] [CALLS-18] [OTP-11] [OTP-12] [SESS-08] [SESS-09] signs in with the password, then with the pasted code', async ({
  page,
  context,
  gateway,
  merchant: { account },
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const made = recordCalls(page)
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).origin))
  await page.goto('/auth/signin')
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  const answered = page.waitForResponse('**/v1/auth/signin')
  await button(page, 'Sign In').click()
  await expectToast(page, 'Successfully signed in! Please check your email for OTP.')
  const { otpId } = (await (await answered).json()) as { otpId: string }
  await expect(page).toHaveURL(`/auth/verify-otp/${otpId}`)
  expect(made.body('POST /v1/auth/signin')).toEqual({ email: account.email, password: account.password })
  expect(await stored(page, 'authToken')).toBeNull()

  const code = await codeAfter(gateway, account.email, 1)
  await page.evaluate(
    (text) => navigator.clipboard.writeText(text),
    `Code: ${code.slice(0, 3)} ${code.slice(3)}`,
  )
  await codeBoxes(page).first().focus()
  await page.keyboard.press('ControlOrMeta+v')
  await expect(codeBoxes(page).last()).toBeFocused()
  const verified = page.waitForResponse('**/v1/auth/verify-otp/*')
  await expectToast(page, 'OTP verified successfully! Welcome back.')
  await expect(page).toHaveURL('/app')
  expect(made.body(`POST /v1/auth/verify-otp/${otpId}`)).toEqual({ purpose: 'signin', otp: code })
  const tokens = (await (await verified).json()) as Record<string, string>
  expect(await stored(page, 'authToken')).toBe(tokens.authToken)
  expect(await stored(page, 'refreshToken')).toBe(tokens.refreshToken)
  expect([...hosts]).toEqual([gateway.url])
})

test('[SIGNIN-04] [R-47] "Remember me" has no effect', async ({ page, merchant: { account } }) => {
  await page.goto('/auth/signin')
  await page.getByRole('checkbox', { name: 'Remember me' }).check()
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/verify-otp/)
  expect(await page.evaluate(() => ({ ...localStorage, ...sessionStorage }))).toEqual({})
  await page.goto('/auth/signin')
  await expect(page.getByLabel('Email')).toHaveValue('')
  await expect(page.getByRole('checkbox', { name: 'Remember me' })).not.toBeChecked()
})

test('[OTP-02] [OTP-03] the boxes accept six digits and nothing else', async ({ page }) => {
  await page.clock.install()
  await page.goto('/auth/verify-otp/otp_00000000000000000000000000')
  await expect(codeBoxes(page).first()).toBeEditable()
  // A complete code is sent half a second later, which the paused clock does not reach.
  await page.clock.pauseAt(Date.now() + 60_000)
  await enterCode(page, '1x2-3456789')
  const typed = await codeBoxes(page).evaluateAll((boxes) =>
    boxes.map((box) => (box as HTMLInputElement).value).join(''),
  )
  expect(typed).toBe('123456')
})

test('[OTP-06] [OTP-07] [R-22] a new code can be requested after 20 s', async ({ page }) => {
  await page.clock.install()
  await page.goto('/auth/verify-otp/otp_00000000000000000000000000')
  const waiting = page.getByRole('button', { name: /^Resend code in (20|19) s$/ })
  await expect(waiting).toBeDisabled()
  await page.clock.runFor(17_000)
  await expect(page.getByRole('button', { name: /^Resend code in [123] s$/ })).toBeDisabled()
  await page.clock.runFor(3000)
  await expect(button(page, 'Resend code')).toBeEnabled()
})

test('[OTP-08] [OTP-09] [R-05] [ERR-17] [CALLS-19] [CALLS-20] a new code has its own page, and the next one can be requested after 45 s', async ({
  page,
  gateway,
  merchant: { account },
}) => {
  const made = recordCalls(page)
  await page.clock.install()
  await passwordStep(page, account)
  const [first = ''] = page.url().match(/otp_\w+$/) ?? []
  await expect(page.getByRole('button', { name: /^Resend code in \d+ s$/ })).toBeDisabled()
  // The server limits new codes by its own clock.
  await ageCodes(gateway.dataDir, first, 20)
  await page.clock.runFor(20_000)
  await expect(button(page, 'Resend code')).toBeEnabled()
  const answered = page.waitForResponse('**/v1/auth/resend-otp/*')
  await button(page, 'Resend code').click()
  await expectToast(page, 'OTP resent successfully! Please check your email.')
  const { otpId } = (await (await answered).json()) as { otpId: string }
  expect(otpId).not.toBe(first)
  await expect(page).toHaveURL(`/auth/verify-otp/${otpId}`)
  expect(made.body(`POST /v1/auth/resend-otp/${first}`)).toEqual({ purpose: 'signin' })
  await expect(page.getByRole('button', { name: /^Resend code in 4[45] s$/ })).toBeDisabled()
  await expect(codeBoxes(page).first()).toBeFocused()

  await page.clock.runFor(42_000)
  await expect(page.getByRole('button', { name: /^Resend code in [123] s$/ })).toBeDisabled()
  await page.clock.runFor(3000)
  await expect(button(page, 'Resend code')).toBeEnabled()

  await expect(page.getByText(/^We mailed a 6-digit code to t\*\*\*@example\.co\.zw\./)).toBeVisible()
  // The clock stands still: the button submits the code.
  await enterCode(page, await codeAfter(gateway, account.email, 2))
  await button(page, 'Verify code').click()
  await expect(page).toHaveURL('/app')
})

import { expect, statusError, test } from './fixtures.ts'
import { codeAfter } from './lib/auth.ts'
import { checkEveryWidth, checkPage } from './lib/check-page.ts'
import { button, expectToast, recordCalls, title } from './lib/page.ts'

const newPassword = 'another long sentence'
const aSession = '/auth/password/set-new/otp_00000000000000000000000000'

test('[FORGOT-02] [FORGOT-03] [R-18] the email field has the errors of sign-in', async ({ page }) => {
  await page.goto('/auth/forgot-password')
  const email = page.getByLabel('Email')
  await button(page, 'Send code').click()
  await expect(email).toHaveAccessibleDescription('Email is required')
  await expect(email).toBeFocused()
  await email.fill('tariro@example')
  await expect(page.getByText('Email is required')).toBeHidden()
  await page.keyboard.press('Enter')
  await expect(email).toHaveAccessibleDescription('Please enter a valid email')
})

test('[FORGOT-01] [FORGOT-04] [ERR-18] [ERR-19] [SETPW-08] [CALLS-02] [CALLS-21] [CALLS-22] [CALLS-23] [CALLS-24] a new password is set with the emailed code', async ({
  page,
  gateway,
  merchant: { account },
}) => {
  const made = recordCalls(page)
  await page.goto('/auth/forgot-password')
  await page.getByLabel('Email').fill(account.email)
  const answered = page.waitForResponse('**/v1/auth/password/forgot')
  await button(page, 'Send code').click()
  const { otpId, message } = (await (await answered).json()) as { otpId: string; message: string }
  await expectToast(page, message)
  await expect(page).toHaveURL(`/auth/password/set-new/${otpId}`)
  expect(made.body('POST /v1/auth/password/forgot')).toEqual({ email: account.email })
  expect(made.headers('POST /v1/auth/password/forgot')).toMatchObject({ 'content-type': 'application/json' })

  const otp = await codeAfter(gateway, account.email, 1)
  await page.getByLabel('OTP', { exact: true }).fill(otp)
  await page.getByLabel('New password', { exact: true }).fill(newPassword)
  await page.getByLabel('Confirm password', { exact: true }).fill(newPassword)
  await button(page, 'Set new password').click()
  await expectToast(page, 'Password updated. Please sign in.')
  await expect(page).toHaveURL('/auth/signin')
  expect(made.body(`POST /v1/auth/password/setnew/${otpId}`)).toEqual({ otp, newPassword })

  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(newPassword)
  await button(page, 'Sign In').click()
  await expect(page).toHaveURL(/verify-otp/)
})

test('a new password is set with the emailed link, whose token reaches a server in that call alone', async ({
  page,
  gateway,
  consoleErrors,
  merchant: { account },
}) => {
  const requests: string[] = []
  page.on('request', (request) => requests.push(`${request.url()} ${request.headers().referer ?? ''}`))
  const made = recordCalls(page)
  await page.goto('/auth/forgot-password')
  await page.getByLabel('Email').fill(account.email)
  await button(page, 'Send code').click()
  await codeAfter(gateway, account.email, 1)
  const [mail] = await gateway.mailbox(account.email)
  const link = /http\S+\/auth\/password\/reset#[\w-]{43}/.exec(mail?.text ?? '')?.[0] ?? ''
  await page.goto(new URL(link).pathname + new URL(link).hash)
  await expect(title(page, 'Set a new password')).toBeVisible()
  await button(page, 'Set new password').click()
  await expect(page.getByLabel('New password', { exact: true })).toHaveAccessibleDescription(
    /New password is required/,
  )
  await checkEveryWidth(page, 'reset-password', [1440, 375])
  await page.getByLabel('New password', { exact: true }).fill(newPassword)
  await page.getByLabel('Confirm password', { exact: true }).fill(newPassword)
  await button(page, 'Set new password').click()
  await expectToast(page, 'Password updated. Please sign in.')
  await expect(page).toHaveURL('/auth/signin')
  const token = link.split('#')[1] ?? ''
  expect(made.body('POST /v1/auth/password/reset')).toEqual({ token, newPassword })
  expect(requests.filter((line) => line.includes(token))).toEqual([])

  await page.goto(new URL(link).pathname + new URL(link).hash)
  await page.getByLabel('New password', { exact: true }).fill(newPassword)
  await page.getByLabel('Confirm password', { exact: true }).fill(newPassword)
  await button(page, 'Set new password').click()
  await expect(page.getByRole('alert').filter({ hasText: 'This link has expired or was used' })).toBeVisible()
  await consoleErrors.expect(statusError(410))
  await checkPage(page, 'reset-password-ended')
  await page.getByRole('link', { name: 'Get a new link' }).click()
  await expect(page).toHaveURL('/auth/forgot-password')
})

test('[FORGOT-05] [FORGOT-06] [ERR-19] without an otpId in the response the page refers to the email', async ({
  page,
}) => {
  // A deployment that emails links responds without an otpId.
  await page.route('**/v1/auth/password/forgot', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: {} })
  })
  await page.goto('/auth/forgot-password')
  await page.getByLabel('Email').fill('tariro@example.co.zw')
  await button(page, 'Send code').click()
  await expectToast(page, 'Successfully sent an OTP to your email')
  await expect(title(page, 'Check your email')).toBeFocused()
  await checkPage(page, 'check-your-email')
  await button(page, 'try again').click()
  await expect(page.getByLabel('Email')).toHaveValue('tariro@example.co.zw')
})

test('[SETPW-01] [SETPW-02] each of the three fields is shown and hidden separately', async ({ page }) => {
  await page.goto('/auth/forgot-password')
  await expect(title(page, 'Forgot your password?')).toBeVisible()
  await checkEveryWidth(page, 'forgot-password')
  await page.goto(aSession)
  for (const [label, what] of [
    ['OTP', 'OTP'],
    ['New password', 'new password'],
    ['Confirm password', 'confirm password'],
  ] as const) {
    const field = page.getByLabel(label, { exact: true })
    const eye = button(page, `Show or hide ${what}`)
    await expect(field).toHaveAttribute('type', 'password')
    await eye.click()
    await expect(field).toHaveAttribute('type', 'text')
    await eye.focus()
    await page.keyboard.press('Enter')
    await expect(field).toHaveAttribute('type', 'password')
  }
  await button(page, 'Set new password').click()
  await checkEveryWidth(page, 'set-new-password')
})

test('[SETPW-03] [SETPW-04] [SETPW-05] [SETPW-06] shows an error beside each wrong field, and focuses the first', async ({
  page,
}) => {
  await page.goto(aSession)
  const [otp, first, second] = ['OTP', 'New password', 'Confirm password'].map((label) =>
    page.getByLabel(label, { exact: true }),
  )
  await button(page, 'Set new password').click()
  await expect(page.getByText('OTP is required')).toBeVisible()
  await expect(page.getByText('New password is required')).toBeVisible()
  await expect(otp as NonNullable<typeof otp>).toBeFocused()
  await otp?.fill('12a4')
  await expect(otp as NonNullable<typeof otp>).toHaveValue('124')
  await first?.fill('1234567')
  await second?.fill('12345678')
  await page.keyboard.press('Enter')
  await expect(page.getByText('OTP must be 6 digits')).toBeVisible()
  await expect(page.getByText('Password must be at least 8 characters')).toBeVisible()
  await expect(page.getByText('Passwords do not match')).toBeVisible()
})

test('[SETPW-07] without an otpId the page shows an error and a link to request a code', async ({ page }) => {
  await page.goto('/auth/password/set-new')
  await expect(page.getByRole('alert')).toHaveText('Invalid or missing OTP session')
  await checkPage(page, 'no-otp-session')
  await page.getByRole('link', { name: 'Get a new code' }).click()
  await expect(page).toHaveURL('/auth/forgot-password')
})

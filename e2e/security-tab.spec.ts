import { totpCode } from '@muripo/testing/authenticator-app'
import { uuidOf } from '@muripo/testing/typed-ids'
import type { Page } from '@playwright/test'
import { expect, type Gateway, statusError, test } from './fixtures.ts'
import { addApp, codeBoxes, enterCode, passwordStep } from './lib/auth.ts'
import { checkEveryWidth, checkPage } from './lib/check-page.ts'
import { query } from './lib/database.ts'
import { button, expectToast } from './lib/page.ts'

const TAB = '/app/settings/security'
const STEP_MS = 30_000

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const checkWidths = (page: Page, name: string) => checkEveryWidth(page, name, [1440, 768, 375, 320])

async function signOut(page: Page): Promise<void> {
  if ((page.viewportSize()?.width ?? 0) < 1000) await button(page, 'Open menu').click()
  await button(page, 'Sign Out').last().click()
  await dialog(page, 'Sign Out').getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL('/')
}

/** The merchant requires a second factor since so many days, and the person has entered no password for so many minutes. */
const age = ({ dataDir }: Gateway, applicationId: string, days: number, minutes: number) =>
  query(
    dataDir,
    `with shop as (select account_id as id from applications where id = $1),
      sessions as (update sessions set authenticated_at = authenticated_at - $3 * interval '1 minute' from shop where merchant_id = shop.id),
      members as (update memberships set created_at = created_at - interval '30 days' from shop where merchant_id = shop.id)
     update merchants set second_factor_since = now() - $2 * interval '1 day' from shop where merchants.id = shop.id`,
    [uuidOf(applicationId), days, minutes],
  )

for (const { width, height } of [
  { width: 1440, height: 900 },
  { width: 375, height: 740 },
])
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height } })

    test('an authenticator app replaces the mailed code, and a recovery code replaces the app', async ({
      page,
      merchant: { account },
      openDashboard,
      consoleErrors,
    }) => {
      await openDashboard('/app/settings')
      await page.getByRole('link', { name: 'Security' }).click()
      await expect(page).toHaveURL(TAB)
      await expect(section(page, 'Authenticator app')).toContainText('You have no authenticator app yet.')
      await button(page, 'Add an App').click()
      const form = dialog(page, 'Add an App')
      await form.getByLabel('Your password', { exact: true }).fill('not the password')
      await button(page, 'Continue').click()
      await expect(form.getByText('The password is not correct')).toBeVisible()
      await consoleErrors.expect(statusError(422))
      await form.getByLabel('Your password', { exact: true }).fill(account.password)
      await button(page, 'Continue').click()
      await expect(form.getByRole('img', { name: 'QR code of the secret' })).toBeVisible()
      await form.getByLabel('Code of the app').fill('12345')
      await form.getByRole('button', { name: 'Add an App' }).click()
      await expect(form.getByText('Please enter the six digits that the app shows')).toBeVisible()
      await checkPage(page, `security-app-${width}`)
      await form.getByRole('button', { name: 'Cancel' }).click()
      await expect(form).toHaveCount(0)
      const { secret, codes } = await addApp(page, account.password)
      await checkPage(page, `security-codes-${width}`)
      await page.keyboard.press('Escape')
      await button(page, 'I have kept them').click()
      await expect(section(page, 'Recovery codes')).toContainText('10 codes are left.')

      await signOut(page)
      await passwordStep(page, account)
      await expect(page.getByText('Open your authenticator app.')).toBeVisible()
      await expect(page.getByRole('button', { name: /Resend/ })).toHaveCount(0)
      await enterCode(page, '000000')
      await expect(page.getByRole('alert').filter({ hasText: 'The code is not correct' })).toBeVisible()
      await consoleErrors.expect(statusError(400))
      await expect(codeBoxes(page).first()).toHaveValue('0')
      await checkPage(page, `sign-in-app-code-${width}`)
      // The code of the present step was used by the enrolment.
      await enterCode(page, totpCode(secret, new Date(Date.now() + STEP_MS)))
      await button(page, 'Verify code').click()
      await expect(page).toHaveURL('/app')

      await signOut(page)
      await passwordStep(page, account)
      await button(page, 'Use a recovery code').click()
      const recovery = page.getByLabel('Recovery code')
      await expect(recovery).toBeFocused()
      await recovery.fill('abc')
      await button(page, 'Verify code').click()
      await expect(page.getByText('A recovery code has ten letters and digits')).toBeVisible()
      await expect(recovery).toHaveValue('abc')
      await checkPage(page, `sign-in-recovery-code-${width}`)
      await recovery.fill(codes[0] ?? '')
      await button(page, 'Verify code').click()
      await expect(page).toHaveURL('/app')
      await page.goto(TAB)
      await expect(section(page, 'Recovery codes')).toContainText('9 codes are left.')
    })

    test('a team requires a second factor, and what moves trust asks again who the person is', async ({
      page,
      gateway,
      merchant: { account },
      seller: { application },
      openDashboard,
      consoleErrors,
    }) => {
      await openDashboard(TAB)
      await button(page, 'Require: Second factor').click()
      await expectToast(page, 'The team has seven days from now on')
      await expect(section(page, 'Rules of the team')).toContainText('Required since')
      await expect(section(page, 'Rules of the team').getByText('Tariro Moyo, Owner').first()).toBeVisible()
      await expect(page.getByText(/requires an authenticator app or a passkey from/)).toBeVisible()

      await age(gateway, application._id, 1, 11)
      await page.goto(`/app/applications/manage/${application._id}?tab=key`)
      await button(page, 'New key').click()
      const name = page.getByLabel('Name', { exact: true })
      await name.fill('Website')
      await button(page, 'Create key').click()
      const question = dialog(page, 'Confirm that it is you')
      await expect(question.getByLabel('Your password', { exact: true })).toBeFocused()
      await consoleErrors.expect(statusError(403))
      await checkPage(page, `step-up-${width}`)
      await question.getByRole('button', { name: 'Cancel' }).click()
      await expectToast(page, 'Please confirm that it is you: enter your password or a code')
      await expect(name).toHaveValue('Website')

      await button(page, 'Create key').click()
      await question.getByLabel('Your password', { exact: true }).fill('not the password')
      await question.getByRole('button', { name: 'Confirm' }).click()
      await expect(question.getByText('The password is not correct')).toBeVisible()
      await consoleErrors.expect(statusError(422))
      await question.getByLabel('Your password', { exact: true }).fill(account.password)
      await question.getByRole('button', { name: 'Confirm' }).click()
      await expect(dialog(page, 'Your new key')).toBeVisible()
      await consoleErrors.expect(statusError(403))
    })
  })

test('a person who lacks the second factor is led to the tab, and back to work with an app', async ({
  page,
  gateway,
  merchant: { account },
  seller: { application, pay },
  openDashboard,
  consoleErrors,
}) => {
  await pay({ description: 'Woven basket' })
  consoleErrors.ignore(statusError(403))
  await age(gateway, application._id, 8, 0)
  await openDashboard('/app/payments')
  await expect(page).toHaveURL(TAB)
  await expect(
    page.getByText(/Tariro Moyo requires an authenticator app or a passkey\. Add one here/),
  ).toBeVisible()
  await addApp(page, account.password)
  await button(page, 'I have kept them').click()
  await expect(page.getByText(/requires an authenticator app or a passkey/)).toHaveCount(0)
  await checkWidths(page, 'security')
  await page.getByRole('link', { name: 'Payments' }).first().click()
  await expect(page.getByText('Woven basket')).toBeVisible()
})

test('a cashier who lacks the second factor finds the tab, too', async ({
  page,
  gateway,
  seller: { application },
  openDashboard,
  consoleErrors,
}) => {
  consoleErrors.ignore(statusError(403))
  await age(gateway, application._id, 8, 0)
  await query(
    gateway.dataDir,
    `update memberships set role = 'cashier', applications = array[$1::uuid]
     where merchant_id = (select account_id from applications where id = $1)`,
    [uuidOf(application._id)],
  )
  await openDashboard('/app/till')
  await expect(page).toHaveURL(TAB)
  await expect(button(page, 'Add an App')).toBeVisible()
  await expect(section(page, 'Rules of the team')).toHaveCount(0)
  await page.goto('/app/settings')
  await expect(page).toHaveURL(TAB)
})

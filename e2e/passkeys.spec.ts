import type { Page } from '@playwright/test'
import { expect, statusError, test } from './fixtures.ts'
import { passwordStep } from './lib/auth.ts'
import { plugIn } from './lib/authenticator.ts'
import { checkPage } from './lib/check-page.ts'
import { withoutColumn } from './lib/database.ts'
import { button, expectToast } from './lib/page.ts'

// A passkey belongs to a host name. PUBLIC_URL has localhost, and an IP address would be another site.
test.use({ baseURL: ({ gateway }, use) => use(gateway.url.replace('127.0.0.1', 'localhost')) })

const section = (page: Page) => page.getByRole('region', { name: 'Passkeys' })
const cells = (page: Page) => section(page).getByRole('table', { name: 'Passkeys' }).getByRole('cell')
const dialog = (page: Page) => page.getByRole('dialog')
const password = (page: Page) => dialog(page).getByLabel('Your password', { exact: true })

async function addPasskey(page: Page, secret: string): Promise<void> {
  await button(page, 'Add a Passkey').click()
  await password(page).fill(secret)
  await page.keyboard.press('Enter')
  await expectToast(page, 'Passkey added')
}

test.describe('at 1440 px', () => {
  test.use({ viewport: { width: 1440, height: 900 } })

  test('[SIGNIN-10] a passkey is added in the settings, takes the place of the code, and is removed', async ({
    page,
    merchant: { account },
    openDashboard,
    consoleErrors,
  }) => {
    const authenticator = await plugIn(page)
    await openDashboard('/app/settings')
    await expect(section(page).getByText('You have no passkey yet.')).toBeVisible()
    await checkPage(page, 'passkeys-none')

    await test.step('the password is required, and the device verifies its user', async () => {
      await button(page, 'Add a Passkey').click()
      await expect(password(page)).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(dialog(page).getByText('Password is required')).toBeVisible()
      await password(page).fill('not the password')
      await page.keyboard.press('Enter')
      await expect(dialog(page).getByText('The password is not correct')).toBeVisible()
      await consoleErrors.expect(statusError(422))
      await expect(password(page)).toBeFocused()
      await checkPage(page, 'passkeys-wrong-password')

      await authenticator.recogniseUser(false)
      await password(page).fill(account.password)
      await page.keyboard.press('Enter')
      await expect(dialog(page).getByRole('alert')).toHaveText(/^No passkey was added: the prompt was closed/)
      await checkPage(page, 'passkeys-prompt-closed')

      await authenticator.recogniseUser(true)
      await button(page, 'Continue').click()
      await expectToast(page, 'Passkey added')
      await expect(dialog(page)).toBeHidden()
      await expect(button(page, 'Add a Passkey')).toBeFocused()
      await expect(cells(page).nth(1)).toHaveText(/, 20\d\d/)
      await expect(cells(page).nth(2)).toHaveText('Never')
    })

    await test.step('a device has one for an account', async () => {
      await button(page, 'Add a Passkey').click()
      await password(page).fill(account.password)
      await page.keyboard.press('Enter')
      await expect(dialog(page).getByRole('alert')).toHaveText(
        'This device already has a passkey for your account.',
      )
      await page.keyboard.press('Escape')
      await expect(dialog(page)).toBeHidden()
    })

    await test.step('it is renamed', async () => {
      await section(page)
        .getByRole('button', { name: /^Rename / })
        .click()
      await dialog(page).getByLabel('Name').fill('Office laptop')
      await checkPage(page, 'passkeys-rename')
      await page.keyboard.press('Enter')
      await expect(section(page).getByText('Office laptop')).toBeVisible()
      await expect(button(page, 'Rename Office laptop')).toBeFocused()
      await checkPage(page, 'passkeys-one')
    })

    await test.step('it signs in beside the password', async () => {
      await page.evaluate(() => localStorage.clear())
      await passwordStep(page, account)
      await expect(button(page, 'Use a passkey')).toBeVisible()
      await checkPage(page, 'code-with-passkey-1440')
      await button(page, 'Use a passkey').click()
      await expectToast(page, 'Signed in with your passkey. Welcome back.')
      await expect(page).toHaveURL('/app')
      await page.goto('/app/settings')
      await expect(cells(page).nth(2)).toHaveText(/, 20\d\d/)
    })

    await test.step('it is removed, and the code page is unchanged', async () => {
      await button(page, 'Remove Office laptop').click()
      await password(page).fill(account.password)
      await checkPage(page, 'passkeys-remove')
      await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click()
      await expectToast(page, 'Passkey removed')
      await expect(section(page).getByText('You have no passkey yet.')).toBeVisible()
      // The button of the removed row had the focus.
      await expect(section(page)).toBeFocused()
      await page.evaluate(() => localStorage.clear())
      await passwordStep(page, account)
      await expect(button(page, 'Verify code')).toBeVisible()
      await expect(button(page, 'Use a passkey')).toBeHidden()
    })
  })
})

test.describe('at 375 px', () => {
  test.use({ viewport: { width: 375, height: 800 } })

  test('a passkey signs in on a phone, and a failure is explained', async ({
    page,
    context,
    gateway,
    merchant: { account },
    openDashboard,
    consoleErrors,
  }) => {
    const authenticator = await plugIn(page)
    await withoutColumn(gateway.dataDir, 'passkeys', 'transports', async () => {
      await openDashboard('/app/settings')
      await expect(section(page).getByRole('alert')).toContainText('Something went wrong on our side')
      await consoleErrors.expect(statusError(500))
      await checkPage(page, 'passkeys-failed-375')
    })
    await button(page, 'Try Again').click()
    await addPasskey(page, account.password)
    await checkPage(page, 'passkeys-one-375')
    await page.evaluate(() => localStorage.clear())
    await passwordStep(page, account)
    await checkPage(page, 'code-with-passkey-375')

    await authenticator.recogniseUser(false)
    await button(page, 'Use a passkey').click()
    const unused =
      'No passkey was used: the prompt was closed, it took too long, or this device has none for your account. The code from your email works too.'
    await expectToast(page, unused)

    await context.setOffline(true)
    await button(page, 'Use a passkey').click()
    await expectToast(page, 'Network error. Please check your connection and try again.')
    await consoleErrors.expect(/ERR_INTERNET_DISCONNECTED/)
    await context.setOffline(false)

    await page.reload()
    await authenticator.recogniseUser(true)
    await button(page, 'Use a passkey').click()
    await expect(page).toHaveURL('/app')
  })
})

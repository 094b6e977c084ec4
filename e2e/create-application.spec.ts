import type { Page } from '@playwright/test'
import { expect, statusError, test } from './fixtures.ts'
import {
  createWith,
  dialogNamed,
  focusIsInDialog,
  OFFLINE,
  OUR_ERROR,
  spoilToken,
} from './lib/applications.ts'
import { checkWidths } from './lib/check-page.ts'
import { withoutTable } from './lib/database.ts'
import { button, expectToast, holdRequests, recordCalls } from './lib/page.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

const CREATE = 'POST /v1/applications/create'

const createDialog = (page: Page) => dialogNamed(page, 'Create New Application')
const created = (page: Page) => dialogNamed(page, 'Application Created Successfully!')
const submit = (page: Page) => createDialog(page).getByRole('button', { name: 'Create Application' })
const nameField = (page: Page) => page.getByLabel('Application Name')
const description = (page: Page) => page.getByLabel('Description')
const category = (page: Page) => page.getByRole('combobox', { name: 'Category' })
const selected = (page: Page, name: string) => page.getByText(`Selected: ${name}`, { exact: true })

async function open(page: Page): Promise<void> {
  await button(page, 'Create New Application').click()
  await expect(nameField(page)).toBeFocused()
}

async function fillIn(page: Page, name = 'Alpha'): Promise<void> {
  await nameField(page).fill(name)
  await description(page).fill('First')
}

/** A user who denies pages access to the clipboard. */
async function refuseClipboard(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  const { targetInfo } = await browser.send('Target.getTargetInfo')
  for (const permission of [
    { name: 'clipboard-write' },
    { name: 'clipboard-write', allowWithoutSanitization: true },
  ]) {
    await browser.send('Browser.setPermission', {
      permission,
      setting: 'denied',
      origin: new URL(page.url()).origin,
      ...(targetInfo.browserContextId ? { browserContextId: targetInfo.browserContextId } : {}),
    })
  }
}

test('[CREATE-01] [CREATE-02] [CREATE-03] [CREATE-04] [CREATE-05] [CREATE-06] [CREATE-07] [CREATE-08] [CREATE-09] [CREATE-10] [CREATE-11] [CREATE-13] [CREATE-14] [CREATE-15] [CONST-17] the form shows one error at a time, and the category is from the list or Other', async ({
  page,
  openDashboard,
}) => {
  await openDashboard('/app/applications')
  await open(page)
  expect(await description(page).evaluate((field) => field.tagName)).toBe('TEXTAREA')
  expect(await createDialog(page).getByRole('button').allTextContents()).toEqual([
    '',
    '',
    'Create Application',
    'Cancel',
  ])
  await expect(selected(page, 'Other')).toBeVisible()
  await checkWidths(page, 'create-application')

  await nameField(page).fill('   ')
  await submit(page).click()
  await expect(nameField(page)).toHaveAccessibleDescription('Application name is required')
  await expect(nameField(page)).toBeFocused()
  await expect(page.getByText('Description is required')).toBeHidden()
  await checkWidths(page, 'create-application-error')
  await nameField(page).fill('Alpha')
  await expect(page.getByText('Application name is required')).toBeHidden()
  await description(page).fill(' ')
  await submit(page).click()
  await expect(description(page)).toHaveAccessibleDescription('Description is required')
  await expect(description(page)).toBeFocused()

  await category(page).click()
  const options = await page.getByRole('listbox').getByRole('option').allTextContents()
  expect(options).toHaveLength(42)
  expect([options[0], options[1], options[41]]).toEqual(['Other', 'E-commerce', 'Remittance Service'])
  await category(page).fill('Retail')
  await expect(selected(page, 'Retail')).toBeVisible()
  await category(page).fill('Retai')
  await expect(selected(page, 'Other')).toBeVisible()
  await checkWidths(page, 'create-application-categories')
  await category(page).fill('Baskets')
  await expect(page.getByText('No categories found', { exact: true })).toBeVisible()
  await expect(selected(page, 'Other')).toBeVisible()
  // A click outside of the list and the dialog keeps the typed text.
  await page.mouse.click(5, 5)
  await expect(page.getByText('No categories found')).toBeHidden()
  await expect(nameField(page)).toHaveValue('Alpha')

  await category(page).fill('point')
  await page.getByRole('option', { name: 'Point of Sale' }).click()
  await expect(selected(page, 'Point of Sale')).toBeVisible()
  await button(page, 'Clear category').click()
  await expect(selected(page, 'Other')).toBeVisible()
  await expect(category(page)).toHaveValue('')
  await createDialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(createDialog(page)).toBeHidden()
  await expect(button(page, 'Create New Application')).toBeFocused()
})

test('[CREATE-12] [CREATE-19] [CREATE-21] [CREATE-22] [CREATE-23] [CREATE-24] [CREATE-25] [CREATE-26] [CREATE-27] [CREATE-28] [CREATE-29] [CALLS-34] [CALLS-35] a new application is shown with its key, and leads to its page', async ({
  page,
  gateway,
  openDashboard,
}) => {
  await page.clock.install()
  await openDashboard('/app/applications')
  await open(page)
  const made = recordCalls(page)
  await page.keyboard.type('  Alpha  ')
  await page.keyboard.press('Tab')
  await page.keyboard.type('  First  ')
  await category(page).fill('SaaS')
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText(['SaaS'])
  await category(page).press('Tab')
  const release = await holdRequests(page, '**/v1/applications/create')
  await submit(page).click()
  await expect(createDialog(page).getByRole('button', { name: 'Creating Application...' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(createDialog(page)).toBeVisible()
  expect(await focusIsInDialog(page)).toBe(true)
  const answered = page.waitForResponse('**/v1/applications/create')
  await release()
  expect(made.body(CREATE)).toEqual({
    applicationName: 'Alpha',
    description: 'First',
    category: 'SaaS',
  })
  const application = await (await answered).json()
  await expect(created(page)).toContainText('Your application has been created and is now ready for use.')
  await expect(created(page)).toContainText("Keep this key secure. You'll need it for API integrations.")
  for (const shown of ['Alpha', 'SaaS', application.applicationKey]) {
    await expect(created(page).getByText(shown, { exact: true })).toBeVisible()
  }
  await expect(createDialog(page)).toBeHidden()
  await expect(page.getByText('Showing 1 of 1 applications', { exact: true })).toBeVisible()
  expect(made.names()).toEqual([CREATE, 'GET /v1/applications/all'])
  expect(await createWith(gateway.url, application.applicationKey)).toBe(201)
  expect(await focusIsInDialog(page)).toBe(true)
  await checkWidths(page, 'application-created')

  const copy = created(page).getByRole('button', { name: 'Copy Application Key', exact: true })
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
  await copy.click()
  const copied = created(page).getByRole('button', { name: 'Copied!' })
  await expect(copied).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(application.applicationKey)
  await page.clock.runFor(1990)
  await expect(copied).toBeVisible()
  await page.clock.runFor(20)
  await expect(copy).toBeVisible()
  await page.clock.resume()

  await created(page).getByRole('button', { name: 'Close', exact: true }).click()
  await expect(created(page)).toBeHidden()
  await open(page)
  await expect(nameField(page)).toHaveValue('')
  await expect(description(page)).toHaveValue('')
  await expect(selected(page, 'Other')).toBeVisible()
  await fillIn(page, 'Beta')
  await submit(page).click()
  await created(page).getByRole('link', { name: 'Manage Application' }).click()
  await expect(page).toHaveURL(/\/app\/applications\/manage\/app_/)
  await expect(page.getByRole('heading', { level: 1, name: 'Beta' })).toBeVisible()
})

test('[CREATE-26] [ERR-25] [ERR-26] [ERR-43] [SESS-32] an error is shown, and the typed text remains', async ({
  page,
  context,
  gateway,
  openDashboard,
  consoleErrors,
}) => {
  await openDashboard('/app/applications')
  await expect(page.getByText('No applications found')).toBeVisible()
  await open(page)
  await fillIn(page)
  await withoutTable(gateway.dataDir, 'application_keys', async () => {
    await submit(page).click()
    await expectToast(page, OUR_ERROR)
  })
  await expect(submit(page)).toBeFocused()
  await context.setOffline(true)
  await submit(page).click()
  await expectToast(page, OFFLINE)
  await expect(nameField(page)).toHaveValue('Alpha')
  await context.setOffline(false)

  await spoilToken(page)
  const made = recordCalls(page)
  await submit(page).click()
  await expect(created(page)).toBeVisible()
  expect(made.names().filter((name) => name.startsWith('POST'))).toEqual([
    CREATE,
    'POST /v1/auth/refresh-token',
    CREATE,
  ])
  // Four requests created one application.
  await expect(page.getByText('Showing 1 of 1 applications', { exact: true })).toBeVisible()

  await refuseClipboard(page)
  const logged = page.waitForEvent('console', (message) => message.text().includes('could not be copied'))
  await created(page).getByRole('button', { name: 'Copy Application Key', exact: true }).click()
  await logged
  await expect(created(page).getByRole('button', { name: 'Copied!' })).toHaveCount(0)
  await expect(page.locator('.toast').filter({ hasText: /copi/i })).toHaveCount(0)
  for (const kind of [
    statusError(500),
    statusError(401),
    /ERR_INTERNET_DISCONNECTED/,
    /could not be copied/,
  ]) {
    await consoleErrors.expect(kind)
  }
})

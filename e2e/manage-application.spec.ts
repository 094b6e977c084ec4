import { createApplication } from '@muripo/rig/merchant'
import { expect, statusError, test } from './fixtures.ts'
import {
  BANKING,
  createWith,
  dialogNamed,
  fact,
  focusIsInDialog,
  OFFLINE,
  OUR_ERROR,
  pageOf,
  tab,
  watchFor,
} from './lib/applications.ts'
import { checkLayout, checkWidths } from './lib/check-page.ts'
import { withoutTable } from './lib/database.ts'
import { button, expectToast, holdRequests } from './lib/page.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

const NOT_FOUND = 'Application not found.'
const bankingFacts = ['Bank Name', 'Bank Account Number', 'Bank Account Name', 'Bank Account Type']

test('[GUARD-15] [MANAGE-01] [MANAGE-02] [MANAGE-03] [MANAGE-04] [MANAGE-06] [MANAGE-07] [MANAGE-08] [MANAGE-09] [MANAGE-10] [MANAGE-11] [MANAGE-12] [MANAGE-14] [MANAGE-16] [MANAGE-18] [MANAGE-19] [CALLS-37] an application has three tabs and the tab of webhooks', async ({
  page,
  seller: { application },
  openDashboard,
}) => {
  const release = await holdRequests(page, `**/v1/applications/${application._id}`)
  await openDashboard(pageOf(application._id))
  await expect(page.getByRole('status', { name: 'Loading application' })).toBeVisible()
  await checkWidths(page, 'manage-loading', checkLayout)
  await release()
  await expect(page.getByRole('heading', { level: 1, name: 'Chiedza Crafts' })).toBeVisible()
  await expect(page.getByText('Application Management', { exact: true })).toBeVisible()
  await expect(page.getByText('Active', { exact: true })).toHaveAttribute('data-tone', 'green')
  expect(await page.getByRole('tab').allTextContents()).toEqual([
    'Basic Information',
    BANKING,
    'Application Key',
    'Webhooks',
  ])
  await expect(tab(page, 'Basic Information')).toHaveAttribute('aria-selected', 'true')
  for (const [name, value] of [
    ['Application Name', 'Chiedza Crafts'],
    ['Category', 'Retail'],
    ['Description', 'Baskets'],
    ['Created', /^[A-Z][a-z]+ \d{1,2}, \d{4} at \d\d:\d\d [AP]M$/],
    ['Last Updated', /^[A-Z][a-z]+ \d{1,2}, \d{4} at \d\d:\d\d [AP]M$/],
  ] as const) {
    await expect(fact(page, name)).toHaveText(value)
  }
  await expect(page.getByRole('tabpanel').getByRole('textbox')).toHaveCount(0)
  await checkWidths(page, 'manage-basic')

  await tab(page, 'Basic Information').focus()
  await page.keyboard.press('ArrowRight')
  await expect(tab(page, BANKING)).toHaveAttribute('aria-selected', 'true')
  for (const name of bankingFacts) await expect(fact(page, name)).toHaveText('Not configured')
  await expect(fact(page, 'Name Approval Status')).toHaveText('Pending Approval')
  await expect(page.getByRole('tabpanel').getByRole('textbox')).toHaveCount(0)
  await expect(button(page, 'Update Banking Details')).toBeEnabled()
  await checkWidths(page, 'manage-banking-none')

  await page.keyboard.press('ArrowRight')
  await expect(page.getByText(application.applicationKey, { exact: true })).toBeVisible()
  await expect(page.getByRole('tabpanel')).toContainText(
    'Regenerating immediately invalidates the current key. Every integration that uses it must be updated',
  )
  await expect(button(page, 'Copy Application Key')).toBeVisible()
  await checkWidths(page, 'manage-key')
  await page.getByRole('link', { name: 'Back to Applications' }).click()
  await expect(page).toHaveURL('/app/applications')
})

test('[MANAGE-16] [MANAGE-17] [MANAGE-20] [MANAGE-21] [MANAGE-22] [MANAGE-23] [MANAGE-24] [MANAGE-25] [MANAGE-26] [CALLS-39] [CALLS-40] [ERR-31] [ERR-32] [ERR-34] [ERR-35] a new key ends the old one at once', async ({
  page,
  context,
  gateway,
  seller: { application },
  openDashboard,
  consoleErrors,
}) => {
  const old = application.applicationKey
  const dialog = dialogNamed(page, 'Regenerate Application Key')
  const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true })
  await page.clock.install()
  await openDashboard(pageOf(application._id))
  await tab(page, 'Application Key').click()
  await button(page, 'Regenerate Key').focus()
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('This action cannot be undone')
  await expect(dialog).toContainText('Integrations that use the old key stop working')
  await expect(dialog).toContainText('This application has no webhook endpoints.')
  await checkWidths(page, 'manage-regenerate')
  await inDialog('Cancel').click()
  await expect(dialog).toBeHidden()
  await expect(button(page, 'Regenerate Key')).toBeFocused()
  expect(await createWith(gateway.url, old)).toBe(201)

  await page.keyboard.press('Enter')
  await context.setOffline(true)
  await inDialog('Regenerate Key').click()
  await expectToast(page, 'Network error occurred while regenerating key')
  await context.setOffline(false)
  await withoutTable(gateway.dataDir, 'audit_log', async () => {
    await inDialog('Regenerate Key').click()
    await expectToast(page, OUR_ERROR)
  })
  // The change is rolled back when its audit entry cannot be written.
  expect(await createWith(gateway.url, old)).toBe(201)

  const release = await holdRequests(page, '**/regenerate-key')
  await inDialog('Regenerate Key').click()
  await expect(inDialog('Regenerating...')).toBeDisabled()
  await expect(inDialog('Cancel')).toBeDisabled()
  await expect(inDialog('Close dialog')).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await inDialog('Cancel').click({ force: true })
  await inDialog('Close dialog').click({ force: true })
  await expect(inDialog('Regenerating...')).toBeVisible()
  expect(await focusIsInDialog(page)).toBe(true)
  await checkWidths(page, 'manage-regenerating', checkLayout)
  await release()
  await expectToast(page, 'Application key regenerated successfully!')
  expect(await createWith(gateway.url, old)).toBe(401)
  await expect(dialog).toBeHidden()
  await expect(page.getByText(old)).toHaveCount(0)
  const key = (await page.getByText(/^mk_test_/).textContent()) ?? ''
  expect(await createWith(gateway.url, key)).toBe(201)

  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
  await button(page, 'Copy Application Key').click()
  await expect(button(page, 'Copied!')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
  await page.clock.runFor(1990)
  await expect(button(page, 'Copied!')).toBeVisible()
  await page.clock.runFor(20)
  await expect(button(page, 'Copy Application Key')).toBeVisible()
  await consoleErrors.expect(/ERR_INTERNET_DISCONNECTED/)
  await consoleErrors.expect(statusError(500))
})

test('[MANAGE-04] [APPS-19] an application is deactivated and activated on its own page', async ({
  page,
  gateway,
  seller: { application },
  openDashboard,
}) => {
  await openDashboard(pageOf(application._id))
  await button(page, 'Deactivate').click()
  await dialogNamed(page, 'Deactivate Application').getByRole('button', { name: 'Deactivate' }).click()
  await expect(page.getByText('Inactive', { exact: true })).toHaveAttribute('data-tone', 'yellow')
  expect(await createWith(gateway.url, application.applicationKey)).toBe(403)
  await checkWidths(page, 'manage-inactive', checkLayout)
  await button(page, 'Activate').click()
  await dialogNamed(page, 'Activate Application').getByRole('button', { name: 'Activate' }).click()
  await expect(button(page, 'Deactivate')).toBeFocused()
  expect(await createWith(gateway.url, application.applicationKey)).toBe(201)
})

test('[MANAGE-27] [ERR-28] [ERR-29] [ERR-30] an application that cannot be loaded leads back to the list', async ({
  page,
  context,
  gateway,
  merchant,
  seller: { application },
  openDashboard,
  consoleErrors,
}) => {
  const other = await createApplication(gateway.url, merchant.tokens, { applicationName: 'Beta' })
  const UNKNOWN = 'There is no application with this id'
  const pathsOf = await watchFor(page, [NOT_FOUND, UNKNOWN, OFFLINE, OUR_ERROR])
  const open = (name: string) => page.getByRole('link', { name: `Manage ${name}` }).click()
  const expectBack = async (words: string) => {
    await expect(page).toHaveURL('/app/applications')
    await expect(page.getByRole('link', { name: 'Manage Beta' })).toBeVisible()
    await expect.poll(() => pathsOf(words)).toContain('/app/applications')
    expect(await pathsOf(NOT_FOUND)).not.toEqual([])
  }
  await openDashboard(pageOf('app_00000000000000000000000000'))
  await expectBack(UNKNOWN)

  await open('Chiedza Crafts')
  await expect(page.getByRole('heading', { level: 1, name: 'Chiedza Crafts' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to Applications' }).click()
  await context.setOffline(true)
  // The banner moves the list, and a click could miss.
  await expect(page.getByText(/^You are offline/)).toBeVisible()
  await open('Beta')
  await expectBack(OFFLINE)
  await context.setOffline(false)

  await withoutTable(gateway.dataDir, 'application_keys', async () => {
    // The list may be cached from an earlier visit.
    for (const { applicationName } of [application, other]) {
      const answered = page.waitForResponse(/applications\/app_/)
      await open(applicationName)
      expect((await answered).status()).toBe(500)
      await expect(page).toHaveURL('/app/applications')
    }
    await expect.poll(() => pathsOf(OUR_ERROR)).toContain('/app/applications')
  })
  for (const kind of [statusError(404), statusError(500), /ERR_INTERNET_DISCONNECTED/]) {
    await consoleErrors.expect(kind)
  }
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 740 } })

  test('every tab is in view with its whole name', async ({ page, seller, openDashboard }) => {
    await openDashboard(`${pageOf(seller.application._id)}?tab=webhooks`)
    await expect(tab(page, 'Webhooks')).toHaveAttribute('aria-selected', 'true')
    const tabs = page.getByRole('tab')
    await expect(tabs).toHaveCount(4)
    for (const each of await tabs.all()) {
      await expect(each).toBeInViewport({ ratio: 1 })
      expect(await each.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
    }
  })
})

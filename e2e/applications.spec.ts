import type { Page } from '@playwright/test'
import { expect, type Gateway, statusComplaint, test } from './fixtures.ts'
import { call } from './lib/call.ts'
import { look } from './lib/look.ts'
import { basket, createApplication } from './lib/merchant.ts'
import { toast } from './lib/toast.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

const OFFLINE = 'Network error. Please check your connection and try again.'

const createDialog = (page: Page) => page.getByRole('dialog', { name: 'Create New Application' })
const submit = (page: Page) => createDialog(page).getByRole('button', { name: 'Create Application' })
const category = (page: Page) => page.getByRole('textbox', { name: 'Category' })
const names = (page: Page) => page.locator('tbody tr td:first-child').allTextContents()

/** What an integration with this key is answered. */
const createWith = async (gateway: Gateway, key: string): Promise<number> =>
  (await call('POST', `${gateway.url}/api/v1/payments`, { bearer: key, body: basket })).status

test('[APPS-01] [APPS-13] without applications the list says what to do', async ({ page, openDashboard }) => {
  await openDashboard('/app/applications')
  await expect(page.getByRole('heading', { name: 'Applications' })).toBeVisible()
  await expect(page.getByText('No applications found')).toBeVisible()
  await expect(page.getByText('Create your first application to get started.')).toBeVisible()
  await expect(page.getByText('Showing 0 of 0 applications')).toBeVisible()
  await look(page, 'applications-empty')
})

test('[APPS-05] [APPS-06] [APPS-07] [APPS-10] [APPS-11] [APPS-14] [APPS-15] [APPS-21] the list is searched, sorted and filtered', async ({
  page,
  gateway,
  merchant,
  openDashboard,
}) => {
  for (const [applicationName, kind] of [
    ['Alpha', 'Retail'],
    ['Beta', 'Fintech'],
    ['Gamma', 'SaaS'],
  ] as const) {
    await createApplication(gateway.url, merchant.tokens, { applicationName, category: kind })
  }
  await openDashboard('/app/applications')
  await expect(page.getByText('Showing 3 of 3 applications')).toBeVisible()
  expect(await page.getByRole('columnheader').allTextContents()).toEqual([
    'Application Name',
    'Category',
    'Status',
    'Date Created',
    'Actions',
  ])
  expect(await names(page)).toEqual(['Gamma', 'Beta', 'Alpha'])
  await expect(page.getByRole('row').filter({ hasText: 'Alpha' })).toContainText('Active')
  await look(page, 'applications')

  const search = page.getByPlaceholder('Search applications...')
  await search.fill('ALPH')
  await expect(page.getByText('Showing 1 of 3 applications')).toBeVisible()
  expect(await names(page)).toEqual(['Alpha'])
  await search.fill('fint')
  await expect(page.getByRole('cell', { name: 'Beta', exact: true })).toBeVisible()
  expect(await names(page)).toEqual(['Beta'])

  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('combobox', { name: 'Sort' }).click()
  await page.getByRole('option', { name: 'Oldest' }).click()
  expect(await names(page)).toEqual(['Alpha', 'Beta', 'Gamma'])

  await page.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Inactive' }).click()
  await expect(page.getByText('No applications match your filters')).toBeVisible()
  await look(page, 'applications-no-match')
  await page.getByRole('button', { name: 'Clear all filters' }).click()
  await expect(page.getByText('Showing 3 of 3 applications')).toBeVisible()
  expect(await names(page)).toEqual(['Gamma', 'Beta', 'Alpha'])
  await expect(page.getByRole('button', { name: 'Clear filters' })).toBeHidden()
})

test('[CREATE-13] [CREATE-14] [CREATE-15] the create dialog says one thing at a time, in order', async ({
  page,
  openDashboard,
}) => {
  await openDashboard('/app/applications')
  await page.getByRole('button', { name: 'Create New Application' }).click()
  await page.getByLabel('Application Name').fill('   ')
  await submit(page).click()
  await expect(page.getByLabel('Application Name')).toHaveAccessibleDescription(
    'Application name is required',
  )
  await expect(page.getByText('Description is required')).toBeHidden()
  await look(page, 'create-application-error')
  await page.getByLabel('Application Name').fill('Alpha')
  await expect(page.getByText('Application name is required')).toBeHidden()
  await page.getByLabel('Description').fill(' ')
  await submit(page).click()
  await expect(page.getByLabel('Description')).toHaveAccessibleDescription('Description is required')
})

test('[CREATE-04] [CREATE-05] [CREATE-06] [CREATE-07] [CREATE-08] [CREATE-09] [CREATE-10] a category is one of the list or Other', async ({
  page,
  openDashboard,
}) => {
  await openDashboard('/app/applications')
  await page.getByRole('button', { name: 'Create New Application' }).click()
  const selected = (name: string) => page.getByText(`Selected: ${name}`, { exact: true })
  await expect(selected('Other')).toBeVisible()
  await category(page).fill('Retail')
  await expect(selected('Retail')).toBeVisible()
  await category(page).fill('Retai')
  await expect(selected('Other')).toBeVisible()
  await category(page).fill('Baskets')
  await expect(page.getByText('No categories found')).toBeVisible()
  await expect(selected('Other')).toBeVisible()
  await createDialog(page).getByText('Create New Application').click()
  await expect(page.getByText('No categories found')).toBeHidden()

  await category(page).fill('point')
  await page.getByRole('option', { name: 'Point of Sale' }).click()
  await expect(selected('Point of Sale')).toBeVisible()
  await page.getByRole('button', { name: 'Clear category' }).click()
  await expect(selected('Other')).toBeVisible()
  await expect(category(page)).toHaveValue('')
})

test('[CREATE-19] [CREATE-21] [CREATE-22] [CREATE-23] [CREATE-25] [CREATE-27] [CREATE-29] a new application is shown with its key, and leads to its page', async ({
  page,
  gateway,
  openDashboard,
}) => {
  await openDashboard('/app/applications')
  await page.getByRole('button', { name: 'Create New Application' }).click()
  await page.getByLabel('Application Name').fill('  Alpha  ')
  await page.getByLabel('Description').fill('  First  ')
  await category(page).fill('SaaS')
  await expect(page.getByRole('option')).toHaveText(['SaaS'])
  await page.keyboard.press('Tab')
  const sent = page.waitForRequest(/applications\/create/)
  await submit(page).click()
  expect((await sent).postDataJSON()).toEqual({
    applicationName: 'Alpha',
    description: 'First',
    category: 'SaaS',
  })
  const created = page.getByRole('dialog', { name: 'Application Created Successfully!' })
  await expect(created).toContainText('Alpha')
  await expect(created).toContainText('SaaS')
  await expect(created).toContainText("Keep this key secure. You'll need it for API integrations.")
  await expect(createDialog(page)).toBeHidden()
  await look(page, 'application-created')
  const key = (await created.getByText(/^mk_test_/).textContent()) ?? ''
  expect(await createWith(gateway, key)).toBe(201)
  await expect(page.getByText('Showing 1 of 1 applications')).toBeVisible()

  await created.getByRole('link', { name: 'Manage Application' }).click()
  await expect(page).toHaveURL(/\/app\/applications\/manage\/app_/)
  await expect(page.getByRole('heading', { name: 'Alpha' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to Applications' }).click()
  await page.getByRole('button', { name: 'Create New Application' }).click()
  await expect(page.getByLabel('Application Name')).toHaveValue('')
  await expect(page.getByText('Selected: Other', { exact: true })).toBeVisible()
})

test('[GUARD-15] [MANAGE-02] [MANAGE-03] [MANAGE-06] [MANAGE-07] [MANAGE-08] [MANAGE-11] [MANAGE-12] the page of an application has three tabs', async ({
  page,
  seller: { application },
  openDashboard,
}) => {
  await openDashboard(`/app/applications/manage/${application._id}`)
  await expect(page.getByRole('heading', { name: 'Chiedza Crafts' })).toBeVisible()
  await expect(page.getByText('Application Management', { exact: true })).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Basic Information' })).toHaveAttribute('aria-selected', 'true')
  for (const fact of ['Application Name', 'Category', 'Description', 'Created', 'Last Updated']) {
    await expect(page.getByRole('term').filter({ hasText: new RegExp(`^${fact}$`) })).toBeVisible()
  }
  await look(page, 'manage-basic')
  await page.getByRole('tab', { name: 'Banking Settlements and Reconciliations' }).click()
  await expect(page.getByText('Not configured')).toHaveCount(3)
  await expect(page.getByText('Pending Approval')).toBeVisible()
  await look(page, 'manage-banking')
  await page.getByRole('tab', { name: 'Application Key' }).click()
  await expect(page.getByText(application.applicationKey)).toBeVisible()
  await look(page, 'manage-key')
  await page.getByRole('link', { name: 'Back to Applications' }).click()
  await expect(page).toHaveURL('/app/applications')
})

test('[MANAGE-16] [MANAGE-20] [MANAGE-22] [MANAGE-25] [MANAGE-26] [ERR-31] [ERR-32] [ERR-35] a new key ends the old one at once', async ({
  page,
  context,
  gateway,
  seller: { application },
  openDashboard,
  complaints,
}) => {
  expect(await createWith(gateway, application.applicationKey)).toBe(201)
  await openDashboard(`/app/applications/manage/${application._id}`)
  await page.getByRole('tab', { name: 'Application Key' }).click()
  await page.getByRole('button', { name: 'Regenerate Key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Regenerate Application Key' })
  await expect(dialog).toContainText('This action cannot be undone')
  await look(page, 'manage-regenerate')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  expect(await createWith(gateway, application.applicationKey)).toBe(201)

  await page.getByRole('button', { name: 'Regenerate Key' }).click()
  await context.setOffline(true)
  await dialog.getByRole('button', { name: 'Regenerate Key' }).click()
  await expect(toast(page, 'Network error occurred while regenerating key')).toBeVisible()
  complaints.expect(/ERR_INTERNET_DISCONNECTED/)
  await context.setOffline(false)
  await dialog.getByRole('button', { name: 'Regenerate Key' }).click()
  await expect(toast(page, 'Application key regenerated successfully!')).toBeVisible()
  expect(await createWith(gateway, application.applicationKey)).toBe(401)
  await expect(dialog).toBeHidden()
  await expect(page.getByText(application.applicationKey)).toBeHidden()
  const key = (await page.getByText(/^mk_test_/).textContent()) ?? ''
  expect(await createWith(gateway, key)).toBe(201)
  await page.getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByRole('button', { name: 'Copied!' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
})

test('[ERR-28] [ERR-30] an application of nobody leads back to the list', async ({
  page,
  openDashboard,
  complaints,
}) => {
  await openDashboard('/app/applications/manage/app_00000000000000000000000000')
  await expect(page).toHaveURL('/app/applications')
  await expect(toast(page, 'Not found')).toBeVisible()
  complaints.expect(statusComplaint(404))
})

test('[ERR-24] [ERR-26] without a network the list and the dialog say so and lose nothing', async ({
  page,
  context,
  openDashboard,
  complaints,
}) => {
  await openDashboard('/app/applications')
  await expect(page.getByText('No applications found')).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(toast(page, OFFLINE)).toBeVisible()
  await expect(toast(page, OFFLINE)).toBeHidden()
  await page.getByRole('button', { name: 'Create New Application' }).click()
  await page.getByLabel('Application Name').fill('Alpha')
  await page.getByLabel('Description').fill('First')
  await submit(page).click()
  await expect(toast(page, OFFLINE)).toBeVisible()
  await expect(page.getByLabel('Application Name')).toHaveValue('Alpha')
  await context.setOffline(false)
  await submit(page).click()
  await expect(page.getByRole('dialog', { name: 'Application Created Successfully!' })).toBeVisible()
  complaints.expect(/ERR_INTERNET_DISCONNECTED/)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 700 } })

  test('[APPS-16] [APPS-17] applications are cards', async ({
    page,
    seller: { application },
    openDashboard,
  }) => {
    await openDashboard('/app/applications')
    await expect(page.getByRole('table')).toBeHidden()
    await expect(page.getByRole('listitem').filter({ hasText: 'Chiedza Crafts' })).toContainText('Retail')
    await look(page, 'applications-375')
    await page.getByRole('link', { name: 'Manage Chiedza Crafts' }).click()
    await expect(page).toHaveURL(`/app/applications/manage/${application._id}`)
    await expect(page.getByRole('heading', { level: 1, name: 'Chiedza Crafts' })).toBeVisible()
    await look(page, 'manage-375')
  })
})

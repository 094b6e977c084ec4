import { call, callOk } from '@muripo/rig/call'
import { createApplication } from '@muripo/rig/merchant'
import type { Locator, Page } from '@playwright/test'
import { expect, type Gateway, type Merchant, statusError, test } from './fixtures.ts'
import { createWith, dialogNamed, endSession, OFFLINE, OUR_ERROR, spoilToken } from './lib/applications.ts'
import { checkLayout, checkWidths } from './lib/check-page.ts'
import { withoutTable } from './lib/database.ts'
import { button, expectToast, holdRequests, recordCalls } from './lib/page.ts'

const LIST = 'GET /v1/applications/all'

/** The rows of the list, which are cards below 640 px. */
const entries = (page: Page): Locator =>
  page
    .getByRole('table', { name: 'Applications' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
const entry = (page: Page, name: string) => entries(page).filter({ hasText: name })
/** The number of lines of a row's cells: one in a table, several in a card. */
const linesOf = (row: Locator): Promise<number> =>
  row.getByRole('cell').evaluateAll((cells) => {
    const middles = cells
      .map((cell) => cell.getBoundingClientRect())
      .map(({ top, height }) => top + height / 2)
    return new Set(middles.map((middle) => Math.round(middle / 4))).size
  })
const names = async (page: Page) =>
  (await entries(page).allTextContents()).map((text) => /Alpha|Beta|Gamma/.exec(text)?.[0])
const counted = (page: Page, shown: number, all: number) =>
  expect(page.getByText(`Showing ${shown} of ${all} applications`, { exact: true })).toBeVisible()
const badge = (page: Page, name: string) => entry(page, name).locator('[data-tone]')

async function choose(page: Page, select: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: select }).selectOption(option)
}

/** The fields of a listed application. */
const listedKeys = [
  '_id',
  'applicationKey',
  'applicationName',
  'bankAccountName',
  'bankAccountNumber',
  'bankAccountType',
  'bankName',
  'bankRejection',
  'brandColour',
  'category',
  'createdAt',
  'description',
  'logoPath',
  'nameApproved',
  'status',
  'stopReason',
  'testKey',
  'updatedAt',
]

async function makeThree(gateway: Gateway, { tokens }: Merchant): Promise<void> {
  for (const [applicationName, category] of [
    ['Alpha', 'Retail'],
    ['Beta', 'Fintech'],
    ['Gamma', 'SaaS'],
  ] as const) {
    const { _id } = await createApplication(gateway.url, tokens, { applicationName, category })
    if (applicationName !== 'Beta') continue
    await call('PATCH', `${gateway.url}/v1/applications/${_id}/status`, {
      bearer: tokens.authToken,
      body: { status: 'inactive' },
    })
  }
}

async function expectNewestFirst(page: Page): Promise<void> {
  expect(await page.getByRole('columnheader').allTextContents()).toEqual([
    'Application Name',
    'Category',
    'Status',
    'Date Created',
    'Actions',
  ])
  expect(await names(page)).toEqual(['Gamma', 'Beta', 'Alpha'])
  await expect(badge(page, 'Alpha')).toHaveText('Active')
  await expect(badge(page, 'Alpha')).toHaveAttribute('data-tone', 'green')
  await expect(badge(page, 'Beta')).toHaveText('Inactive')
  await expect(badge(page, 'Beta')).toHaveAttribute('data-tone', 'yellow')
  await expect(page.getByRole('combobox', { name: 'Sort' })).toHaveValue('newest')
  await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('all')
}

async function searchByText(page: Page): Promise<void> {
  const search = page.getByPlaceholder('Search applications...')
  const clear = button(page, 'Clear filters')
  await expect(clear).toHaveAttribute('aria-disabled', 'true')
  await search.fill('ALPH')
  await counted(page, 1, 3)
  expect(await names(page)).toEqual(['Alpha'])
  await search.fill('fINt')
  await expect(entry(page, 'Beta')).toBeVisible()
  expect(await names(page)).toEqual(['Beta'])
  await clear.click()
  await expect(search).toHaveValue('')
  await counted(page, 3, 3)
}

async function sortAndFilter(page: Page, checkNoMatch: () => Promise<void>): Promise<void> {
  const search = page.getByPlaceholder('Search applications...')
  await choose(page, 'Sort', 'Oldest')
  expect(await names(page)).toEqual(['Alpha', 'Beta', 'Gamma'])
  await choose(page, 'Status', 'Inactive')
  expect(await names(page)).toEqual(['Beta'])
  await choose(page, 'Status', 'Active')
  await counted(page, 2, 3)
  await search.fill('Beta')
  await expect(page.getByText('No applications match your filters', { exact: true })).toBeVisible()
  await counted(page, 0, 3)
  await checkNoMatch()
  await button(page, 'Clear all filters').click()
  await counted(page, 3, 3)
  expect(await names(page)).toEqual(['Gamma', 'Beta', 'Alpha'])
  await expect(page.getByRole('combobox', { name: 'Sort' })).toHaveValue('newest')
  await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('all')
}

test.describe('the list', () => {
  test.use({ viewport: { width: 1440, height: 900 } })

  test('[APPS-01] [APPS-02] [APPS-03] [APPS-04] [APPS-05] [APPS-06] [APPS-07] [APPS-08] [APPS-09] [APPS-10] [APPS-11] [APPS-12] [APPS-14] [APPS-15] [APPS-16] [APPS-17] [APPS-20] [APPS-21] [CALLS-30] [CALLS-33] applications are listed, searched, sorted and filtered', async ({
    page,
    gateway,
    merchant,
    openDashboard,
  }) => {
    await makeThree(gateway, merchant)
    const release = await holdRequests(page, '**/v1/applications/all')
    const made = recordCalls(page)
    await openDashboard('/app/applications')
    await expect(page.getByRole('heading', { level: 1, name: 'Applications' })).toBeVisible()
    await expect(page.getByText('Loading applications...', { exact: true })).toBeVisible()
    await expect(button(page, 'Refreshing...')).toBeDisabled()
    await expect(button(page, 'Create New Application')).toBeEnabled()
    await checkWidths(page, 'applications-loading')
    await release()
    await counted(page, 3, 3)
    await expect(button(page, 'Refresh')).toBeEnabled()
    expect(made.body(LIST)).toBeNull()
    // The browser keeps the body of a response only for a while, so the test asks for the list itself.
    const { applications } = await callOk<{ applications: { _id: string }[] }>(
      'GET',
      `${gateway.url}/v1/applications/all`,
      { bearer: merchant.tokens.authToken },
    )
    const [newest] = applications
    if (!newest) throw new Error('The list is empty')
    expect(Object.keys(newest).sort()).toEqual(listedKeys)

    expect(await linesOf(entry(page, 'Alpha'))).toBe(1)
    await page.setViewportSize({ width: 375, height: 740 })
    expect(await linesOf(entry(page, 'Alpha'))).toBe(3)
    await page.setViewportSize({ width: 1440, height: 900 })
    await expectNewestFirst(page)
    await checkWidths(page, 'applications')
    await searchByText(page)
    await sortAndFilter(page, () => checkWidths(page, 'applications-no-match'))

    await entry(page, 'Gamma').getByRole('link', { name: 'Manage Gamma' }).click()
    await expect(page).toHaveURL(`/app/applications/manage/${newest._id}`)
    await expect(page.getByRole('heading', { level: 1, name: 'Gamma' })).toBeVisible()
  })

  test('[APPS-18] [APPS-19] [APPS-22] an application is deactivated and activated by keyboard, after a confirmation that explains the effect', async ({
    page,
    context,
    gateway,
    seller: { application, pay },
    openDashboard,
    consoleErrors,
  }) => {
    const { payment_url: link } = await pay()
    const key = application.applicationKey
    await openDashboard('/app/applications')
    const rowButton = (verb: string) =>
      entries(page).getByRole('button', { name: `${verb} Chiedza Crafts`, exact: true })
    const confirmation = dialogNamed(page, 'Deactivate Application')
    const press = async (name: string) => {
      await confirmation.getByRole('button', { name, exact: true }).focus()
      await page.keyboard.press('Enter')
    }
    await expect(rowButton('Deactivate')).toHaveText('Deactivate')
    await rowButton('Deactivate').focus()
    await page.keyboard.press('Enter')
    await expect(confirmation).toContainText('Its key is refused at once')
    await expect(confirmation).toContainText('Existing payment links still work')
    await expect(confirmation).toContainText('activate it again at any time')
    await checkWidths(page, 'applications-deactivate')
    await page.keyboard.press('Escape')
    await expect(confirmation).toBeHidden()
    await expect(rowButton('Deactivate')).toBeFocused()
    expect(await createWith(gateway.url, key)).toBe(201)

    await page.keyboard.press('Enter')
    await context.setOffline(true)
    await press('Deactivate')
    await expectToast(page, OFFLINE)
    await expect(confirmation).toBeVisible()
    await context.setOffline(false)
    const release = await holdRequests(page, '**/status')
    await press('Deactivate')
    await expect(confirmation.getByRole('button', { name: 'Deactivating...' })).toBeFocused()
    await expect(confirmation.getByRole('button', { name: 'Cancel' })).toBeDisabled()
    await page.keyboard.press('Escape')
    await expect(confirmation).toBeVisible()
    await release()
    await expectToast(page, 'Application deactivated')
    await expect(confirmation).toBeHidden()
    await expect(badge(page, 'Chiedza Crafts')).toHaveText('Inactive')
    expect(await createWith(gateway.url, key)).toBe(403)
    expect((await fetch(link)).status, 'a link that is out').toBe(200)

    await rowButton('Activate').focus()
    await page.keyboard.press('Enter')
    const again = dialogNamed(page, 'Activate Application')
    await expect(again).toContainText('with the same application key as before')
    await checkWidths(page, 'applications-activate', checkLayout)
    await again.getByRole('button', { name: 'Activate', exact: true }).click()
    await expectToast(page, 'Application activated')
    await expect(badge(page, 'Chiedza Crafts')).toHaveText('Active')
    await expect(rowButton('Deactivate')).toBeFocused()
    expect(await createWith(gateway.url, key)).toBe(201)
    await consoleErrors.expect(/ERR_INTERNET_DISCONNECTED/)
  })

  test('[APPS-13] [ERR-23] [ERR-24] [SESS-32] [SESS-29] an empty list explains the next step, a failed list shows the error', async ({
    page,
    context,
    gateway,
    openDashboard,
    consoleErrors,
  }) => {
    const inline = page.getByRole('main').getByRole('alert')
    await withoutTable(gateway.dataDir, 'application_keys', async () => {
      await openDashboard('/app/applications')
      await expectToast(page, OUR_ERROR)
      await expect(inline).toContainText(OUR_ERROR)
      await checkWidths(page, 'applications-error')
    })
    await button(page, 'Try Again').click()
    await expect(page.getByText('No applications found', { exact: true })).toBeVisible()
    await expect(
      page.getByText('Create your first application to get started.', { exact: true }),
    ).toBeVisible()
    await counted(page, 0, 0)
    await checkWidths(page, 'applications-empty')

    await context.setOffline(true)
    await button(page, 'Refresh').click()
    await expectToast(page, OFFLINE)
    await expect(page.getByText('No applications found', { exact: true })).toBeVisible()
    const response = page.waitForResponse('**/v1/applications/all')
    await context.setOffline(false)
    await response

    await spoilToken(page)
    const made = recordCalls(page)
    await button(page, 'Refresh').click()
    await expect.poll(() => made.names()).toEqual([LIST, 'POST /v1/auth/refresh-token', LIST])
    await expect(button(page, 'Refresh')).toBeEnabled()

    // The stream of updates reconnects at any time, and would end the session first.
    await page.route('**/v1/live', () => undefined)
    await endSession(page, gateway.url)
    await button(page, 'Create New Application').click()
    await page.getByLabel('Application Name').fill('Alpha')
    await page.getByLabel('Description').fill('First')
    await button(page, 'Create Application').click()
    await expect(page).toHaveURL('/')
    await expectToast(page, 'Successfully signed out')
    await expect(page.locator('.toast').filter({ hasText: /create|Authentication/ })).toHaveCount(0)
    for (const kind of [
      statusError(500),
      statusError(401),
      /ERR_INTERNET_DISCONNECTED/,
      /could not be refreshed/,
    ]) {
      await consoleErrors.expect(kind)
    }
  })
})

test('[APPS-15] [APPS-18] the table has room for its buttons from the narrowest width that it is shown at', async ({
  page,
  seller: { application },
  openDashboard,
}) => {
  await openDashboard('/app/applications')
  const last = page.getByRole('button', { name: `Deactivate ${application.applicationName}` })
  for (const width of [1024, 768, 720]) {
    await page.setViewportSize({ width, height: 800 })
    await expect(last, `${width} px`).toBeInViewport({ ratio: 1 })
    await checkLayout(page, `applications-${width}`)
  }
})

test('[CALLS-32] the payments filter offers the same applications, and logs an error when they cannot be read', async ({
  page,
  gateway,
  seller: { application },
  openDashboard,
  consoleErrors,
}) => {
  const response = () => page.waitForResponse('**/v1/applications/all')
  const showFilters = async () => {
    await openDashboard('/app/payments')
    await expect(page.getByText('No payments yet.')).toBeVisible()
    const answered = response()
    await button(page, 'Show Filters').click()
    return (await answered).status()
  }
  expect(await showFilters()).toBe(200)
  await expect(page.getByRole('option', { name: application.applicationName })).toBeAttached()

  const logged = page.waitForEvent('console', (message) => /applications for the filter/.test(message.text()))
  await withoutTable(gateway.dataDir, 'application_keys', async () => expect(await showFilters()).toBe(500))
  await logged
  await expect(page.locator('.toast')).toHaveCount(0)
  await consoleErrors.expect(statusError(500))
  await consoleErrors.expect(/applications for the filter/)
})

test('filters and tabs are in the address, and the back button returns to them', async ({
  page,
  seller: { application },
  openDashboard,
}) => {
  await openDashboard('/app/applications?sort=oldest')
  await page.getByLabel('Search applications').pressSequentially('Chie')
  await expect(page).toHaveURL('/app/applications?search=Chie&sort=oldest')
  await page.goto(`/app/applications/manage/${application._id}`)
  await page.getByRole('tab', { name: 'Application Key' }).click()
  await expect(page).toHaveURL(/\?tab=key$/)
  await page.reload()
  await expect(page.getByRole('tab', { name: 'Application Key' })).toHaveAttribute('aria-selected', 'true')
  await page.goBack()
  await expect(page.getByRole('tab', { name: 'Basic Information' })).toHaveAttribute('aria-selected', 'true')
  await page.goBack()
  await expect(page.getByLabel('Search applications')).toHaveValue('Chie')
  await expect(page.getByRole('combobox', { name: 'Sort' })).toHaveValue('oldest')
})

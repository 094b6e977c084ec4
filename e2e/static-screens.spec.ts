import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { checkWidths } from './lib/check-page.ts'
import { button, recordCalls, title } from './lib/page.ts'

const tab = (page: Page, name: string) => page.getByRole('tab', { name })

test('[INV-01] [INV-02] [INV-03] [INV-04] [INV-06] [INV-07] [INV-08] [INV-09] [INV-10] [INV-12] invoices are a sample, in five tabs', async ({
  page,
  openDashboard,
}) => {
  const made = recordCalls(page)
  await openDashboard('/app/invoices')
  await expect(title(page, 'Invoices')).toBeVisible()
  await expect(page.getByRole('tab')).toHaveText(['All 4', 'Paid 2', 'Pending 1', 'Overdue 1', 'Draft 0'])
  await checkWidths(page, 'invoices')

  const views = page.getByRole('button', { name: /^View INV-/ })
  const edits = page.getByRole('button', { name: /^Edit INV-/ })
  await expect(views).toHaveText(['View', 'View', 'View', 'View'])
  await expect(edits).toHaveText(['Edit', 'Edit', 'Edit', 'Edit'])
  const main = page.getByRole('main')
  const before = await main.innerHTML()
  for (const quiet of [button(page, 'Create Invoice'), views.first(), edits.last()]) {
    await expect(quiet).toBeEnabled()
    await quiet.click()
  }
  expect(await main.innerHTML()).toBe(before)
  await expect(page).toHaveURL('/app/invoices')

  await tab(page, 'Paid').click()
  await expect(views).toHaveCount(2)
  await page.keyboard.press('ArrowRight')
  await expect(tab(page, 'Pending')).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('button', { name: 'View INV-002' })).toBeVisible()
  await expect(views).toHaveCount(1)
  await page.keyboard.press('End')
  await expect(tab(page, 'Draft')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('No invoices found for the selected filter.', { exact: true })).toBeVisible()
  await expect(views).toHaveCount(0)
  await checkWidths(page, 'invoices-none')
  // The shell of every page fetches updates of payments and the account's language.
  const ofShell = ['GET /v1/live', 'GET /v1/account']
  expect(made.names().filter((call) => !ofShell.includes(call))).toEqual([])
})

test('[RECON-01] reconciliations describe the planned feature', async ({ page, openDashboard }) => {
  await openDashboard('/app/reconciliations')
  const main = page.getByRole('main')
  await expect(main).toHaveText(
    'ReconciliationsYou have no reconciliations as of yetWe will update you when you have pending reconciliations.',
  )
  await checkWidths(page, 'reconciliations')
})

test('the tab of invoices is in the address, and the back button returns to the previous tab', async ({
  page,
  openDashboard,
}) => {
  await openDashboard('/app/invoices?status=overdue')
  await expect(tab(page, 'Overdue')).toHaveAttribute('aria-selected', 'true')
  await tab(page, 'Paid').click()
  await expect(page).toHaveURL('/app/invoices?status=paid')
  await page.reload()
  await expect(tab(page, 'Paid')).toHaveAttribute('aria-selected', 'true')
  await tab(page, 'All').click()
  await expect(page).toHaveURL('/app/invoices')
  await page.goBack()
  await expect(tab(page, 'Paid')).toHaveAttribute('aria-selected', 'true')
})

test('[INV-05] [INV-12] an invoice is a row on a wide screen', async ({ page, openDashboard }) => {
  await openDashboard('/app/invoices')
  await expect(page.getByRole('columnheader')).toHaveText([
    'Invoice #',
    'Customer',
    'Amount (USD)',
    'Status',
    'Issue Date',
    'Due Date',
    'Actions',
  ])
  const row = page.getByRole('row').filter({ hasText: 'INV-002' })
  await expect(row.getByRole('cell')).toHaveText([
    'INV-002',
    'Sunrise Bakery',
    '480.50',
    'Pending',
    'Jan 12, 2026',
    'Feb 11, 2026',
    'ViewEdit',
  ])
})

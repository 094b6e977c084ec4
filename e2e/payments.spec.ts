import { createApplication, createPayment, type Payment } from '@muripo/rig/merchant'
import type { Page, Response } from '@playwright/test'
import { expect, type Seller, statusError, test } from './fixtures.ts'
import { checkPage } from './lib/check-page.ts'
import { makeManyPayments, whilePaymentsAreLocked } from './lib/database.ts'
import { expectToast } from './lib/page.ts'
import { payFrom } from './lib/payers-page.ts'
import { area, counted, ids, row, rowNumber, viewDetailsAt } from './lib/payments.ts'
import { newPhone, type Wallet } from './lib/wallet.ts'

const OFFLINE = 'Network error. Please check your connection and try again.'

/** The number of the first visible row. */
const topRow = (page: Page): Promise<number> =>
  area(page).evaluate((element) => {
    const edge = element.getBoundingClientRect().top
    const rows = [...element.querySelectorAll('[role=row][data-index]')]
    const first = rows.find((row) => row.getBoundingClientRect().bottom > edge + 1)
    return Number(first?.getAttribute('aria-rowindex'))
  })

/** A payment that its payer approved, or that its payer declined and its merchant cancelled. */
async function settled(
  seller: Seller,
  wallet: Wallet,
  how: 'approved' | 'declined',
  payment: Readonly<Record<string, unknown>> = {},
): Promise<Payment & { phone: string }> {
  const phone = newPhone()
  const made = await seller.pay(payment)
  await payFrom(phone, made)
  if (how === 'approved') await wallet.enterPin(phone)
  else {
    await wallet.decline(phone)
    await seller.cancel(made)
  }
  return { ...made, phone }
}

async function choose(page: Page, filter: string, choice: string): Promise<void> {
  await page.getByRole('combobox', { name: filter }).selectOption(choice)
}

/** The date in the merchant's time zone, a number of days from now. */
function day(offset: number): string {
  const at = new Date(Date.now() + offset * 86_400_000)
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Harare' }).format(at)
}

test('[PAY-01] [PAY-08] [PAY-25] [PAY-21] the page explains that there are no payments', async ({
  page,
  openDashboard,
}) => {
  await openDashboard('/app/payments')
  await expect(page.getByRole('heading', { name: 'Payments' })).toBeVisible()
  await expect(page.getByText('No payments yet.')).toBeVisible()
  await expect(page.getByText('Initiate a new payment to get started.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'How to create a payment' })).toHaveAttribute(
    'href',
    '/documentation#quick-start',
  )
  await counted(page, 0, 0)
  await expect(page.getByText('Date Range')).toBeHidden()
  await checkPage(page, 'payments-empty')
  await page.getByRole('button', { name: 'Show Filters' }).click()
  await expect(page.getByRole('option', { name: 'No applications' })).toBeAttached()
})

test('[PAY-06] [PAY-24] an incomplete search has a note beside its field, and a count may be a lower bound', async ({
  page,
  seller,
  consoleErrors,
  openDashboard,
}) => {
  await seller.pay({ amount: 10 })
  await page.route('**/v1/payments/all?*', async (route) => {
    const search = new URL(route.request().url()).searchParams.get('search')
    if (search === 'k7q') {
      const message = 'Narrow your search: name fewer days, a status, or more characters of the payment ID'
      return route.fulfill({ status: 422, json: { message, code: 'search_too_broad' } })
    }
    const response = await route.fetch()
    const list = (await response.json()) as object
    return route.fulfill({ response, json: { ...list, matched: 10_000, hasMoreMatches: search !== null } })
  })
  await openDashboard('/app/payments')
  const field = page.getByRole('searchbox', { name: 'Search by payment ID' })
  await field.fill('pay')
  await expect(page.getByText('Showing 10,000+ of 1 payment transactions')).toBeVisible()
  await field.fill('k7q')
  await expect(field).toHaveAccessibleDescription(/^Narrow your search/)
  await expect(page.getByRole('button', { name: 'Try Again' })).toBeHidden()
  await consoleErrors.expect(statusError(422))
})

test('[PAY-05] [PAY-06] [PAY-07] [PAY-10] [PAY-11] [PAY-12] [PAY-13] [PAY-15] [PAY-18] [PAY-19] [PAY-20] [PAY-22] [PAY-23] [PAY-24] [PAY-26] [PAY-30] [PAY-31] [PAY-33] [PAY-34] [R-33] [R-35] the filters select the payments, and the count shows their number', async ({
  page,
  gateway,
  merchant,
  seller,
  wallet,
  openDashboard,
}) => {
  const other = await createApplication(gateway.url, merchant.tokens, { applicationName: 'Second shop' })
  const pending = await seller.pay({ amount: 10, description: 'Lid' })
  const failed = await settled(seller, wallet, 'declined', { amount: 40 })
  const paid = await settled(seller, wallet, 'approved', { amount: 25.5 })
  const elsewhere = await createPayment(gateway.url, other.applicationKey, { amount: 99 })

  await page.setViewportSize({ width: 1440, height: 900 })
  await openDashboard('/app/payments')
  await counted(page, 4, 4)
  await expect(page.getByRole('columnheader', { name: 'Payment ID' })).toBeInViewport()
  await expectRows(page, [elsewhere, paid, failed, pending])

  await page.getByRole('button', { name: 'Show Filters' }).click()
  await expectRanges(page)
  await checkPage(page, 'payments-filters')
  await chooseFilters(page, { paid, failed })

  await typeAmounts(page, [paid, failed])
  await chooseApplication(page, other._id, elsewhere)

  await typeDays(page)

  await searchAfterReload(page, paid)
})

type Listed = Parameters<typeof row>[1]

async function expectRows(page: Page, [elsewhere, paid, failed, pending]: [Listed, Listed, Listed, Listed]) {
  expect(await page.getByRole('columnheader').allTextContents()).toEqual([
    'Status',
    'Method',
    'Payment ID',
    'Details',
    'Date',
    'Actions',
  ])
  await expect(ids(page)).toHaveText([elsewhere.id, paid.id, failed.id, pending.id])
  await expect(row(page, paid)).toContainText('USD25.50 - Woven basket via ecocash')
  await expect(row(page, paid)).toContainText('COMPLETED')
  await expect(row(page, failed)).toContainText('FAILED')
  await expect(row(page, pending)).toContainText('PENDING')
}

async function expectRanges(page: Page): Promise<void> {
  for (const label of ['From', 'To']) {
    await expect(page.getByRole('group', { name: 'Date Range' }).getByLabel(label)).toBeVisible()
  }
  for (const label of ['Min', 'Max']) {
    await expect(page.getByRole('group', { name: 'Amount Range (USD)' }).getByLabel(label)).toBeVisible()
  }
}

async function chooseFilters(page: Page, { paid, failed }: Record<'paid' | 'failed', Listed>): Promise<void> {
  await choose(page, 'Status', 'failed')
  await counted(page, 1, 4)
  await expect(ids(page)).toHaveText([failed.id])
  // The back button reverts a choice.
  await page.goBack()
  await counted(page, 4, 4)
  await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('')
  await choose(page, 'Payment Method', 'EcoCash')
  await expect(ids(page)).toHaveText([paid.id, failed.id])
  await page.getByRole('button', { name: 'Clear All Filters' }).click()
  await counted(page, 4, 4)
}

async function typeAmounts(page: Page, matching: readonly Listed[]): Promise<void> {
  // A text that is no amount stays as typed, shows an error, and does not filter.
  await page.getByLabel('Min').fill('25,')
  await expect(page.getByText('An amount like 25 or 25.50')).toBeVisible()
  await expect(page.getByLabel('Min')).toHaveValue('25,')
  await counted(page, 4, 4)
  await page.getByLabel('Min').fill('25.5')
  await page.getByLabel('Max').fill('40')
  await expect(ids(page)).toHaveText(matching.map(({ id }) => id))
  await expect(page.getByText('An amount like 25 or 25.50')).toBeHidden()
  await page.getByLabel('Max').fill('4o')
  await expect(page.getByText('An amount like 25 or 25.50')).toBeVisible()
  await page.getByRole('button', { name: 'Clear All Filters' }).click()
  await expect(page.getByLabel('Min')).toHaveValue('')
  await expect(page.getByLabel('Max')).toHaveValue('')
}

async function chooseApplication(page: Page, applicationId: string, payment: Listed): Promise<void> {
  await choose(page, 'Application', 'Second shop')
  await expect(ids(page)).toHaveText([payment.id])
  // A name may change or exist twice, so the address has the id and the field shows the name.
  await expect(page).toHaveURL(new RegExp(`applicationId=${applicationId}`))
  await page.reload()
  await page.getByRole('button', { name: 'Show Filters' }).click()
  await expect(page.getByRole('combobox', { name: 'Application' })).toHaveValue(applicationId)
  await expect(ids(page)).toHaveText([payment.id])
  await page.getByRole('button', { name: 'Clear All Filters' }).click()
}

async function typeDays(page: Page): Promise<void> {
  await page.getByLabel('From').fill(day(0))
  await page.getByLabel('To', { exact: true }).fill(day(0))
  await expect(page).toHaveURL(/to=/)
  await counted(page, 4, 4)
  await page.getByLabel('From').fill(day(1))
  await page.getByLabel('To', { exact: true }).fill(day(1))
  await expect(page.getByText('No payments found matching your filters.')).toBeVisible()
  await checkPage(page, 'payments-no-match')
  await page.getByRole('button', { name: 'Clear All Filters' }).click()
  await page.getByLabel('To', { exact: true }).fill(day(-1))
  await counted(page, 0, 4)
  await page.getByRole('button', { name: 'Clear All Filters' }).click()
}

async function searchAfterReload(page: Page, payment: Listed): Promise<void> {
  await page.getByPlaceholder('Search by payment ID...').fill(payment.id.slice(8).toUpperCase())
  await expect(ids(page)).toHaveText([payment.id])
  await page.reload()
  await expect(ids(page)).toHaveText([payment.id])
  await page.getByRole('button', { name: 'Show Filters' }).click()
  await page.getByRole('button', { name: 'Hide Filters' }).click()
  await expect(page.getByText('Date Range')).toBeHidden()
}

test('[PAY-02] [PAY-27] [PAY-28] [PAY-29] [ERR-36] [ERR-38] the page shows a loading state; a server error is shown on the page and as a toast, and retried', async ({
  page,
  gateway,
  seller,
  openDashboard,
  consoleErrors,
}) => {
  const WORDS = 'The service is not available right now. Please try again'
  const payment = await seller.pay()
  let again: Promise<Response | null> | undefined
  await page.setViewportSize({ width: 1440, height: 900 })
  await whilePaymentsAreLocked(gateway.dataDir, async () => {
    await openDashboard('/app/payments')
    await expect(page.getByText('Loading payments...')).toBeVisible()
    await checkPage(page, 'payments-loading')
    await expectToast(page, WORDS)
    await expect(page.getByRole('main').getByText(WORDS)).toBeVisible()
    await expect(page.getByText('Loading payments...')).toBeHidden()
    await checkPage(page, 'payments-refused')
    await consoleErrors.expect(statusError(503))
    // A request during the lock is answered after its release.
    const requested = page.waitForRequest(/payments\/all/)
    await page.getByRole('button', { name: 'Try Again' }).click()
    again = (await requested).response()
  })
  expect((await again)?.status()).toBe(200)
  await expect(row(page, payment)).toBeVisible()
  await expect(page.getByRole('main').getByText(WORDS)).toBeHidden()
  expect((await area(page).boundingBox())?.height).toBe(540)

  await whilePaymentsAreLocked(gateway.dataDir, async () => {
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(page.getByRole('button', { name: 'Refreshing...' })).toBeDisabled()
    await expect(page.getByRole('main').getByText(WORDS)).toBeVisible()
    // Loaded rows remain.
    await expect(row(page, payment)).toBeVisible()
    await page.setViewportSize({ width: 375, height: 812 })
    await checkPage(page, 'payments-refused-375')
    await consoleErrors.expect(statusError(503))
  })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByRole('main').getByText(WORDS)).toBeHidden()
})

test('[ERR-37] [ERR-38] without a network the page and a toast show an error, and the payments reload automatically', async ({
  page,
  context,
  gateway,
  seller,
  openDashboard,
  consoleErrors,
}) => {
  await makeManyPayments(gateway.dataDir, seller.application._id, 250)
  await openDashboard('/app/payments')
  await counted(page, 250, 250)
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expectToast(page, OFFLINE)
  await expect(page.getByRole('main').getByText(OFFLINE)).toBeVisible()
  await checkPage(page, 'payments-offline')
  await context.setOffline(false)
  await expect(page.getByRole('main').getByText(OFFLINE)).toBeHidden()

  // At the end of the list, the loaded rows remain and the next page is retried.
  await context.setOffline(true)
  await page.getByRole('button', { name: 'View Details' }).first().focus()
  await page.keyboard.press('End')
  await expect(rowNumber(page, 101)).toBeInViewport()
  await expect(area(page).getByText(OFFLINE)).toBeVisible()
  await checkPage(page, 'payments-offline-more')
  await context.setOffline(false)
  await area(page).getByRole('button', { name: 'Try Again' }).click()
  await expect(area(page).getByText(OFFLINE)).toBeHidden()
  await consoleErrors.expect(/ERR_INTERNET_DISCONNECTED/)
})

test('[PAY-07] [PAY-08] [PAY-09] [PAY-32] on a phone the filters are closed at first, and a row is a card', async ({
  page,
  gateway,
  seller,
  openDashboard,
}) => {
  await makeManyPayments(gateway.dataDir, seller.application._id, 300)
  const newest = await seller.pay()
  await openDashboard('/app/payments?status=pending')
  for (const width of [1440, 1408, 1366, 1024, 768, 375, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await expect(viewDetailsAt(page, 2), `the button at ${width} px`).toBeInViewport({ ratio: 1 })
  }
  await page.getByRole('button', { name: 'Show Filters' }).click()
  await expect(page.getByRole('button', { name: 'Hide Filters' })).toBeVisible()
  await expect(page.getByText('Date Range')).toBeVisible()
  await viewDetailsAt(page, 2).focus()
  for (let rows = 0; rows < 60; rows += 1) await page.keyboard.press('ArrowDown')
  await expect(viewDetailsAt(page, 62)).toBeInViewport()
  const top = await topRow(page)
  await page.setViewportSize({ width: 639, height: 700 })
  await expect(page.getByText('Date Range')).toBeHidden()
  await page.setViewportSize({ width: 375, height: 812 })
  // The scroll position is kept.
  await expect(viewDetailsAt(page, 62)).toBeFocused()
  await expect.poll(() => topRow(page)).toBe(top)
  const boxes = await page.getByRole('row').evaluateAll((rows) =>
    rows
      .filter((row) => row.hasAttribute('data-index'))
      .map((row) => row.getBoundingClientRect())
      .map(({ top, bottom }) => ({ top, bottom })),
  )
  expect(boxes.length).toBeLessThan(40)
  for (const [index, { top }] of boxes.entries()) {
    if (index > 0) expect(Math.abs(top - (boxes[index - 1]?.bottom ?? 0))).toBeLessThan(1)
  }
  await page.keyboard.press('Home')
  await expect(row(page, newest)).toBeInViewport()
  await checkPage(page, 'payments-375')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page).toHaveURL('/app/payments')
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(page.getByRole('button', { name: 'Show Filters' })).toBeVisible()
  await expect(page.getByText('Date Range')).toBeHidden()
  await row(page, newest).getByText('Woven basket').click()
  await expect(page.getByRole('dialog', { name: 'Payment Details' }).getByText(newest.id)).toBeVisible()
})

test('on a phone the filters are in a sheet', async ({ page, seller, openDashboard }) => {
  await seller.pay()
  await page.setViewportSize({ width: 375, height: 740 })
  await openDashboard('/app/payments')
  const opener = page.getByRole('button', { name: /^Filters/ })
  await opener.click()
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  await sheet.getByLabel('Min').fill('1000')
  // The list behind the sheet is paler while its next rows load.
  await expect(page.getByText('No payments found matching your filters.')).toBeVisible()
  await checkPage(page, 'filter-sheet-375')
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(opener).toBeFocused()
  await expect(page).toHaveURL(/minAmount=1000/)
  await opener.click()
  await sheet.getByLabel('Max').fill('2000')
  await sheet.getByRole('button', { name: 'Show payments' }).click()
  await expect(sheet).toBeHidden()
  await expect(opener).toBeFocused()
  await expect(page).toHaveURL(/maxAmount=2000/)
  await opener.click()
  await page.setViewportSize({ width: 1440, height: 800 })
  await expect(sheet).toBeHidden()
})

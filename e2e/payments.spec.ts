import type { Page } from '@playwright/test'
import { expect, type Seller, test } from './fixtures.ts'
import { look } from './lib/look.ts'
import { createApplication, createPayment, type Payment } from './lib/merchant.ts'
import { payFrom } from './lib/payer.ts'
import { toast } from './lib/toast.ts'
import { newPhone, type Wallet } from './lib/wallet.ts'

const OFFLINE = 'Network error. Please check your connection and try again.'

const row = (page: Page, { id }: Payment) => page.getByRole('row').filter({ hasText: id })
const counted = (page: Page, shown: number, all: number) =>
  expect(page.getByText(`Showing ${shown} of ${all} payment transactions`)).toBeVisible()

/** A payment that its payer has approved or declined. */
async function settled(
  seller: Seller,
  wallet: Wallet,
  how: 'approved' | 'declined',
  payment: Readonly<Record<string, unknown>> = {},
): Promise<Payment & { phone: string }> {
  const phone = newPhone()
  const made = await seller.pay(payment)
  await payFrom(phone, made)
  await (how === 'approved' ? wallet.enterPin(phone) : wallet.decline(phone))
  return { ...made, phone }
}

async function choose(page: Page, filter: string, choice: string): Promise<void> {
  await page.getByRole('combobox', { name: filter }).click()
  await page.getByRole('option', { name: choice, exact: true }).click()
}

/** The date in the merchant's time zone, so many days from now. */
function day(offset: number): string {
  const at = new Date(Date.now() + offset * 86_400_000)
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Harare' }).format(at)
}

test('[PAY-01] [PAY-08] [PAY-25] [PAY-21] without payments the page says so', async ({
  page,
  openDashboard,
}) => {
  await openDashboard('/app/payments')
  await expect(page.getByRole('heading', { name: 'Payments' })).toBeVisible()
  await expect(page.getByText('No payments yet.')).toBeVisible()
  await expect(page.getByText('Initiate a new payment to get started.')).toBeVisible()
  await counted(page, 0, 0)
  await expect(page.getByText('Date Range')).toBeHidden()
  await look(page, 'payments-empty')
  await page.getByRole('button', { name: 'Show Filters' }).click()
  await page.getByRole('combobox', { name: 'Application' }).click()
  await expect(page.getByRole('option', { name: 'No applications' })).toBeVisible()
})

test('[PAY-06] [PAY-11] [PAY-12] [PAY-19] [PAY-20] [PAY-23] [PAY-24] [PAY-26] [PAY-30] [PAY-31] [R-33] the filters keep what they say, and the count tells', async ({
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
  expect(await page.locator('thead th').allTextContents()).toEqual([
    'Status',
    'Method',
    'Payment ID',
    'Details',
    'Date',
    'Actions',
  ])
  const ids = page.locator('tbody tr td:nth-child(3)')
  await expect(ids).toHaveText([elsewhere.id, paid.id, failed.id, pending.id])
  await expect(row(page, paid)).toContainText('USD25.50 - Woven basket via ecocash')
  await expect(row(page, paid)).toContainText('COMPLETED')
  await expect(row(page, failed)).toContainText('FAILED')
  await expect(row(page, pending)).toContainText('PENDING')

  await page.getByRole('button', { name: 'Show Filters' }).click()
  await look(page, 'payments-filters')
  await choose(page, 'Status', 'failed')
  await counted(page, 1, 4)
  await expect(ids).toHaveText([failed.id])
  await choose(page, 'Status', 'All Statuses')
  await choose(page, 'Payment Method', 'EcoCash')
  await expect(ids).toHaveText([paid.id, failed.id])
  await page.getByRole('button', { name: 'Clear All Filters' }).click()
  await counted(page, 4, 4)

  await page.getByLabel('Min').fill('25.5')
  await page.getByLabel('Max').fill('40')
  await expect(ids).toHaveText([paid.id, failed.id])
  await page.getByRole('button', { name: 'Clear All Filters' }).click()
  await expect(page.getByLabel('Min')).toHaveValue('')
  await choose(page, 'Application', 'Second shop')
  await expect(ids).toHaveText([elsewhere.id])
  await page.getByRole('button', { name: 'Clear All Filters' }).click()

  await page.getByLabel('From').fill(day(0))
  await page.getByLabel('To', { exact: true }).fill(day(0))
  await expect(page).toHaveURL(/to=/)
  await counted(page, 4, 4)
  await page.getByLabel('From').fill(day(1))
  await page.getByLabel('To', { exact: true }).fill(day(1))
  await expect(page.getByText('No payments found matching your filters.')).toBeVisible()
  await look(page, 'payments-no-match')
  await page.getByRole('button', { name: 'Clear All Filters' }).click()
  await page.getByLabel('To', { exact: true }).fill(day(-1))
  await counted(page, 0, 4)
  await page.getByRole('button', { name: 'Clear All Filters' }).click()

  await page.getByPlaceholder('Search by payment ID...').fill(paid.id.slice(8).toUpperCase())
  await expect(ids).toHaveText([paid.id])
  await page.reload()
  await expect(ids).toHaveText([paid.id])
})

test('[ERR-37] [ERR-38] [PAY-28] without a network the payments say so, and come back', async ({
  page,
  context,
  openDashboard,
  complaints,
}) => {
  await openDashboard('/app/payments')
  const whenBack = page.getByText('No payments yet.')
  await expect(whenBack).toBeVisible()
  const expectSaid = async () => {
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(toast(page, OFFLINE)).toBeVisible()
    await expect(page.getByRole('main').getByText(OFFLINE)).toBeVisible()
  }
  await page.route('**/v1/**', (route) => route.abort('internetdisconnected'))
  await expectSaid()
  await look(page, 'offline-payments')
  await page.unroute('**/v1/**')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(whenBack).toBeVisible()
  await expect(page.getByRole('main').getByText(OFFLINE)).toBeHidden()

  // A network that is back is noticed without a press.
  await expect(toast(page, OFFLINE)).toBeHidden()
  await context.setOffline(true)
  await expectSaid()
  await context.setOffline(false)
  await expect(whenBack).toBeVisible()
  complaints.expect(/ERR_INTERNET_DISCONNECTED/)
})

test('[PAY-07] [PAY-09] [PAY-32] on a phone the filters are closed, whatever was open before, and a row is a card', async ({
  page,
  seller,
  openDashboard,
}) => {
  const payment = await seller.pay()
  await openDashboard('/app/payments')
  await page.getByRole('button', { name: 'Show Filters' }).click()
  await expect(page.getByRole('button', { name: 'Hide Filters' })).toBeVisible()
  await expect(page.getByText('Date Range')).toBeVisible()
  await page.setViewportSize({ width: 639, height: 700 })
  await expect(page.getByText('Date Range')).toBeHidden()
  await page.setViewportSize({ width: 375, height: 700 })
  await look(page, 'payments-375')
  const open = row(page, payment).getByRole('button', { name: 'View Details' })
  for (const width of [1440, 1408, 1366, 1024, 768, 375]) {
    await page.setViewportSize({ width, height: 800 })
    await expect(open, `the button at ${width} px`).toBeInViewport({ ratio: 1 })
  }
})

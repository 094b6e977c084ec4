import type { Page } from '@playwright/test'
import { expect, statusComplaint, test } from './fixtures.ts'
import { look } from './lib/look.ts'
import type { Payment } from './lib/merchant.ts'
import { payFrom } from './lib/payer.ts'
import { toast } from './lib/toast.ts'
import { newPhone } from './lib/wallet.ts'

const REFUND_FAILED = 'Failed to refund payment. Please try again later.'

const row = (page: Page, { id }: Payment) => page.getByRole('row').filter({ hasText: id })
const details = (page: Page) => page.getByRole('dialog', { name: 'Payment Details' })
const confirm = (page: Page) => page.getByRole('dialog', { name: 'Confirm Refund' })

test('[DETAIL-02] [DETAIL-03] [DETAIL-04] [DETAIL-05] the details of a payment; only a completed one can be refunded', async ({
  page,
  seller,
  openDashboard,
}) => {
  const pending = await seller.pay()
  await openDashboard('/app/payments')
  await row(page, pending).getByRole('button', { name: 'View Details' }).click()
  expect(await details(page).getByRole('term').allTextContents()).toEqual([
    'Payment ID',
    'Method',
    'Payment Method Reference',
    'Purpose',
    'Customer Phone',
    'Created',
    'Transaction ID',
  ])
  await expect(details(page).getByRole('definition').nth(2)).toHaveText('null')
  await expect(details(page).getByRole('definition').last()).toHaveText(pending.id.replace('pay_', 'txn_'))
  await expect(details(page).getByRole('button', { name: 'Refund Payment' })).toBeHidden()
  await look(page, 'payment-details')
})

test('[ERR-40] [ERR-41] [DETAIL-14] a refund that the provider declines, or that never gets there, is said and can be tried again', async ({
  page,
  context,
  seller,
  wallet,
  openDashboard,
  complaints,
}) => {
  const phone = newPhone()
  const payment = await seller.pay()
  await wallet.order(phone, { refund: 'declined' })
  await payFrom(phone, payment)
  await wallet.enterPin(phone)
  await openDashboard('/app/payments')
  await row(page, payment).getByRole('button', { name: 'View Details' }).click()
  await details(page).getByRole('button', { name: 'Refund Payment' }).click()
  await context.setOffline(true)
  await confirm(page).getByRole('button', { name: 'Yes, Refund Payment' }).click()
  await expect(confirm(page).getByText(REFUND_FAILED)).toBeVisible()
  await expect(toast(page, REFUND_FAILED)).toBeVisible()
  complaints.expect(/ERR_INTERNET_DISCONNECTED/)
  await context.setOffline(false)
  await expect(toast(page, REFUND_FAILED)).toBeHidden()
  const answered = page.waitForResponse(/payments\/refund/)
  await confirm(page).getByRole('button', { name: 'Yes, Refund Payment' }).click()
  expect((await answered).status()).toBeGreaterThan(201)
  await expect(toast(page, REFUND_FAILED)).toBeVisible()
  await look(page, 'refund-failed')
  complaints.expect(statusComplaint(409))
  await confirm(page).getByRole('button', { name: 'Cancel' }).click()
  await details(page).getByRole('button', { name: 'Close dialog' }).click()
  await expect(details(page)).toBeHidden()
  await row(page, payment).getByRole('button', { name: 'View Details' }).click()
  await expect(details(page).getByRole('button', { name: 'Refund Payment' })).toBeVisible()
  await expect(page.getByText(REFUND_FAILED)).toBeHidden()
})

test('on a phone the details of a payment fit', async ({ page, seller, openDashboard }) => {
  const payment = await seller.pay()
  await page.setViewportSize({ width: 375, height: 700 })
  await openDashboard('/app/payments')
  await row(page, payment).getByRole('button', { name: 'View Details' }).click()
  await expect(details(page).getByText(payment.id)).toBeVisible()
  await look(page, 'payment-details-375')
})

import { callOk } from '@muripo/rig/call'
import { findPayment, type Payment } from '@muripo/rig/merchant'
import type { Page } from '@playwright/test'
import { expect, type Seller, statusError, test } from './fixtures.ts'
import { checkLayout, checkPage, checkWidths } from './lib/check-page.ts'
import { recordCalls, title } from './lib/page.ts'
import {
  confirmation,
  details,
  inConfirmation,
  inDetails,
  row,
  timeline,
  viewDetails,
} from './lib/payments.ts'
import { secrets } from './lib/secrets.ts'

const card = '5111111111111118'

/** A card payment that is authorised and not captured. */
async function authorised(page: Page, seller: Seller): Promise<Payment> {
  const payment = await seller.pay({ capture: 'manual' })
  secrets.add('card', card)
  await page.goto(payment.payment_url)
  await page.getByRole('radio', { name: 'Visa/Mastercard' }).check()
  await page.getByRole('button', { name: 'Pay USD 25.00' }).click()
  await page.getByRole('link', { name: 'Continue to pay' }).click()
  await page.getByLabel('Card number').fill(card)
  await page.getByLabel('Expiry date').fill('01/39')
  await page.getByLabel('Security code').fill('100')
  await page.getByRole('button', { name: 'Pay USD 25.00' }).click()
  await expect(title(page, 'Payment authorised')).toBeVisible()
  return payment
}

const dialog = (page: Page, name: 'Capture Payment' | 'Void Payment') => page.getByRole('dialog', { name })
const amounts = (page: Page) => details(page).getByRole('region', { name: 'Amounts' })

/** The status of the address is a choice of the filter while it is chosen, and a link in the details leads back to it. */
async function expectAuthorisedFilter(page: Page, payment: Payment): Promise<void> {
  await page.getByRole('button', { name: 'Show Filters' }).click()
  const status = page.getByRole('combobox', { name: 'Status' })
  await expect(status).toHaveValue('authorized')
  await status.selectOption('completed')
  await expect(row(page, payment)).toBeHidden()
  await expect(status.getByRole('option')).toHaveText([
    'All Statuses',
    'completed',
    'pending',
    'failed',
    'refunded',
  ])
  await status.selectOption('All Statuses')
  await viewDetails(page, payment).click()
  await details(page).getByRole('link', { name: 'All authorised payments' }).click()
  await expect(details(page)).toBeHidden()
  await expect(page).toHaveURL(/status=authorized$/)
  await expect(status).toHaveValue('authorized')
}

test('[DETAIL-15] [DETAIL-16] [DETAIL-18] a card payment is captured in part on the dashboard, and the captured amount is refunded', async ({
  page,
  seller,
  openDashboard,
}) => {
  const payment = await authorised(page, seller)
  await page.setViewportSize({ width: 1440, height: 900 })
  await openDashboard('/app/payments?status=authorized')
  await expect(row(page, payment)).toContainText(/authorized/i)
  await expectAuthorisedFilter(page, payment)
  await viewDetails(page, payment).click()
  await expect(details(page).getByText(/^Capture before \w+/)).toBeVisible()
  await expect(inDetails(page, 'Refund Payment')).toBeHidden()
  await checkWidths(page, 'payment-details-authorised')

  await inDetails(page, 'Capture').click()
  const shown = dialog(page, 'Capture Payment')
  const amount = shown.getByLabel('Amount')
  await expect(amount).toHaveValue('25.00')
  await amount.fill('25.01')
  await expect(amount).toHaveAccessibleDescription('You can capture at most USD25.00.')
  await checkWidths(page, 'capture-wrong')
  await amount.fill('10')
  await expect(shown.getByText('The remaining USD15.00 is released')).toBeVisible()
  await checkWidths(page, 'capture')
  const made = recordCalls(page)
  await amount.press('Enter')
  await expect(shown).toBeHidden()
  expect(made.body('POST /v1/payments/capture')).toEqual({
    paymentId: payment.id,
    amount: 10,
    currency: 'USD',
  })
  await expect(details(page).getByText(`USD10.00 of payment ${payment.id} has been captured.`)).toBeVisible()
  await expect(inDetails(page, 'Capture')).toBeHidden()
  await expect(amounts(page)).toContainText('GrossUSD 10.00')
  await expect(timeline(page).last()).toHaveText(/^Payment completed/)
  await expect(timeline(page).filter({ hasText: 'Payment authorised' })).toHaveCount(1)
  await expect(details(page).getByText('USD10.00 captured', { exact: true })).toBeVisible()
  await checkWidths(page, 'payment-details-captured', checkPage, checkLayout)
  expect(made.names().filter((name) => name.includes('/payments/'))).toEqual(['POST /v1/payments/capture'])

  await inDetails(page, 'Refund Payment').click()
  await expect(confirmation(page).getByLabel('Amount')).toHaveValue('10.00')
  await inConfirmation(page, 'Yes, Refund Payment').click()
  await expect(confirmation(page)).toBeHidden()
  await expect(timeline(page).last()).toHaveText(/^RefundedUSD10\.00/)

  await page.goto('/app')
  await expect(page.getByRole('link', { name: 'Chiedza Crafts, USD25.00, USD10.00 captured' })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'USD25.00USD10.00 captured' })).toBeVisible()
  await checkWidths(page, 'overview-partly-captured', checkLayout)
})

test('[DETAIL-17] an authorised payment is voided after a confirmation, and the card is not charged', async ({
  page,
  seller,
  gateway,
  openDashboard,
}) => {
  const payment = await authorised(page, seller)
  await openDashboard('/app/payments')
  await viewDetails(page, payment).click()
  await inDetails(page, 'Void').click()
  const shown = dialog(page, 'Void Payment')
  await checkWidths(page, 'void', checkPage, checkLayout)
  await page.keyboard.press('Escape')
  await expect(shown).toBeHidden()
  await expect(details(page)).toBeVisible()
  await inDetails(page, 'Void').click()
  await shown.getByRole('button', { name: 'Yes, Void Payment' }).click()
  await expect(details(page).getByText(`Payment ${payment.id} has been voided.`)).toBeVisible()
  await expect(inDetails(page, 'Void')).toBeHidden()
  await expect(timeline(page).last()).toHaveText(/^Payment cancelled/)
  const found = await findPayment(gateway.url, seller.application.applicationKey, payment.id)
  expect(found).toMatchObject({ status: 'failed', status_reason: 'cancelled' })
})

test('details that are open follow a capture by the merchant’s server', async ({
  page,
  seller,
  gateway,
  openDashboard,
  consoleErrors,
}) => {
  const payment = await authorised(page, seller)
  await openDashboard('/app/payments')
  await viewDetails(page, payment).click()
  await inDetails(page, 'Capture').click()
  await callOk('POST', `${gateway.url}/api/v1/payments/${payment.id}/capture`, {
    bearer: seller.application.applicationKey,
    body: {},
  })
  await expect(inDetails(page, 'Capture')).toBeHidden()
  const shown = dialog(page, 'Capture Payment')
  await shown.getByLabel('Amount').fill('10')
  await shown.getByRole('button', { name: 'Capture USD10.00' }).click()
  await expect(shown.getByRole('alert')).toHaveText('Failed to capture payment. Please try again later.')
  await consoleErrors.expect(statusError(409))
  await page.keyboard.press('Escape')
  await expect(inDetails(page, 'Refund Payment')).toBeVisible()
})

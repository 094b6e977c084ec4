import { callOk } from '@muripo/rig/call'
import { uuidOf } from '@muripo/testing/typed-ids'
import type { Page } from '@playwright/test'
import { expect, statusError, test } from './fixtures.ts'
import { checkLayout, checkPage, checkWidths } from './lib/check-page.ts'
import { query } from './lib/database.ts'
import { recordCalls } from './lib/page.ts'
import {
  approved,
  confirmation,
  details,
  inConfirmation,
  inDetails,
  openRefundDialog,
  REFUND_FAILED,
  row,
  timeline,
  viewDetails,
} from './lib/payments.ts'

const customer = { name: 'Chipo Dube', email: 'chipo@example.co.zw' }
const amount = (page: Page) => confirmation(page).getByLabel('Amount')
const lines = (page: Page, title: string) => details(page).getByRole('region', { name: title })

/** The amount is checked while it is typed; an incomplete one when it is submitted. */
async function expectAmountErrors(page: Page): Promise<void> {
  await expect(amount(page)).toHaveValue('25.00')
  await expect(inConfirmation(page, 'Yes, Refund Payment')).toBeEnabled()
  for (const [typed, description] of [
    ['25.01', 'You can refund at most USD25.00.'],
    ['15,005', 'You can refund at most USD25.00.'],
    ['15.005', 'Use two decimals at most, like 12.50.'],
    ['ten', 'Enter an amount like 12.50.'],
  ] as const) {
    await amount(page).fill(typed)
    await expect(amount(page)).toHaveAccessibleDescription(description)
    await expect(amount(page)).toHaveAttribute('aria-invalid', 'true')
  }
  await checkWidths(page, 'refund-amount-wrong')
  await amount(page).fill('0')
  await expect(amount(page)).not.toHaveAttribute('aria-invalid', 'true')
  await inConfirmation(page, 'Refund').click()
  await expect(amount(page)).toHaveAccessibleDescription(/Enter more than zero\./)
  await expect(amount(page)).toBeFocused()
}

test('[DETAIL-05] [DETAIL-08] [DETAIL-12] [CALLS-44] partial refunds refund the whole payment', async ({
  page,
  seller,
  wallet,
  openDashboard,
}) => {
  const payment = await approved(seller, wallet, {}, { customer })
  await page.setViewportSize({ width: 1440, height: 900 })
  await openDashboard('/app/payments?status=completed')
  await viewDetails(page, payment).click()
  await expect(lines(page, 'Amounts')).toHaveText('AmountsGrossUSD 25.00FeeUSD −1.28You keepUSD 23.72')
  await expect(lines(page, 'Customer')).toHaveText(
    /^CustomerNameChipo DubeEmailchipo@example\.co\.zwIDcus_\w{26}/,
  )

  await inDetails(page, 'Refund Payment').click()
  await expectAmountErrors(page)
  await amount(page).fill('15,00')
  await expect(confirmation(page)).toContainText(`This will refund USD15.00 for payment ${payment.id}.`)
  await expect(inConfirmation(page, 'Refund USD15.00')).toBeEnabled()
  await checkWidths(page, 'refund-amount')
  const made = recordCalls(page)
  await amount(page).press('Enter')
  await expect(confirmation(page)).toBeHidden()
  expect(made.body('POST /v1/payments/refund')).toEqual({
    paymentId: payment.id,
    amount: 15,
    currency: 'USD',
    amountRefunded: 0,
  })
  await expect(
    details(page).getByText(`USD15.00 of payment ${payment.id} has been successfully refunded.`),
  ).toBeVisible()
  await expect(inDetails(page, 'Refund Payment')).toBeHidden()
  await expect(details(page).getByText('USD15.00 refunded', { exact: true })).toBeVisible()
  await expect(lines(page, 'Amounts')).toContainText(
    /Refunded, \w+ \d+USD −15\.00You keepUSD 8\.72Up to USD 10\.00 can still be refunded\./,
  )
  await expect(timeline(page).last()).toHaveText(/^RefundedUSD15\.00, reference /)
  // The list is reloaded after a second. Neither the response nor the live update about the refund causes another read.
  await expect.poll(() => made.names()).toContain('GET /v1/payments/all')
  await expect(row(page, payment)).toContainText('Updated')
  expect(made.names()).toEqual(['POST /v1/payments/refund', 'GET /v1/payments/all'])
  await checkWidths(page, 'payment-details-partly-refunded')
  await page.keyboard.press('Escape')
  // Fading elements have no contrast.
  await expect(details(page)).toBeHidden()
  await expect(row(page, payment)).toContainText('COMPLETEDUSD15.00 refunded')
  await checkWidths(page, 'payments-partly-refunded', checkPage, checkLayout)

  await page.goto('/app')
  await expect(page.getByRole('link', { name: 'Chiedza Crafts, USD25.00, USD15.00 refunded' })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'USD25.00USD15.00 refunded' })).toBeVisible()
  await checkWidths(page, 'overview-partly-refunded', checkLayout)
  await page.goto('/app/payments')

  await openRefundDialog(page, payment)
  await expect(amount(page)).toHaveValue('10.00')
  await inConfirmation(page, 'Refund USD10.00').click()
  await expect(details(page).getByText(`Payment ${payment.id} has been successfully refunded.`)).toBeVisible()
  await expect(details(page).getByText('REFUNDED', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(row(page, payment)).toContainText('REFUNDED')
  await expect(row(page, payment)).not.toContainText('refunded')
})

test('a pending partial refund is shown, reduces the remaining amount, and is never requested twice; other refunds appear without a reload', async ({
  page,
  context,
  gateway,
  seller,
  wallet,
  openDashboard,
  consoleErrors,
}) => {
  const payment = await approved(seller, wallet, { refund: 'pending' })
  const elsewhere = await approved(seller, wallet)
  await page.setViewportSize({ width: 1440, height: 900 })
  await openDashboard('/app/payments')
  await openRefundDialog(page, payment)
  await amount(page).fill('5')
  await amount(page).press('Enter')
  await expect(confirmation(page).getByRole('alert')).toHaveText(REFUND_FAILED)
  await expect(confirmation(page)).toContainText('USD5.00 is being refunded already.')
  await checkPage(page, 'refund-under-way')
  // A retry returns the pending refund.
  await amount(page).press('Enter')
  await expect(confirmation(page).getByRole('alert')).toHaveText(REFUND_FAILED)
  await inConfirmation(page, 'Cancel').click()
  await expect(timeline(page).filter({ hasText: 'Refund requested' })).toHaveCount(1)
  await expect(timeline(page).last()).toHaveText(/^Refund on its wayUSD5\.00\./)
  await inDetails(page, 'Refund Payment').click()
  await expect(confirmation(page).getByRole('alert')).toBeHidden()
  await expect(amount(page)).toHaveValue('20.00')
  await page.keyboard.press('Escape')

  // After a day an operator has to send the refund.
  await query(
    gateway.dataDir,
    `update refunds set status = 'awaiting_operator', next_check_at = null where payment_id = $1`,
    [uuidOf(payment.id)],
  )
  await page.reload()
  await expect(timeline(page).last()).toHaveText(/^Refund with the operatorUSD5\.00\./)
  await inDetails(page, 'Close dialog').click()

  // The merchant's server creates a partial refund. The page shows it without a reload, and the payment remains completed.
  await openRefundDialog(page, elsewhere)
  await amount(page).fill('7.50')
  await context.setOffline(true)
  await amount(page).press('Enter')
  await expect(confirmation(page).getByRole('alert')).toHaveText(REFUND_FAILED)
  await callOk('POST', `${gateway.url}/api/v1/refunds`, {
    bearer: seller.application.applicationKey,
    body: { payment: elsewhere.id, amount: 7.5 },
  })
  await context.setOffline(false)
  await consoleErrors.expect(/ERR_INTERNET_DISCONNECTED/)
  await expect(confirmation(page)).toContainText('At most USD17.50')
  // This dialog cannot distinguish that refund from its own request with a lost response.
  await amount(page).press('Enter')
  await expect(inConfirmation(page, 'Refund USD7.50')).toBeEnabled()
  await expect(confirmation(page).getByRole('alert')).toHaveText(REFUND_FAILED)
  await expect(confirmation(page)).toContainText(
    'Part of this payment was refunded in the meantime. Cancel, and check the timeline before you try again.',
  )
  await consoleErrors.expect(statusError(409))
  await checkPage(page, 'refund-outdated')
  await page.keyboard.press('Escape')
  await expect(timeline(page).filter({ hasText: 'Refunded' })).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(row(page, elsewhere)).toContainText('COMPLETEDUSD7.50 refunded')
})

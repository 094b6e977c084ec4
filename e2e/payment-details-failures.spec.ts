import { expect, statusError, test } from './fixtures.ts'
import { checkPage } from './lib/check-page.ts'
import { withoutTable } from './lib/database.ts'
import { expectToast, toast } from './lib/page.ts'
import {
  approved,
  confirmation,
  details,
  fact,
  inConfirmation,
  inDetails,
  openRefundDialog,
  REFUND_FAILED,
  row,
  timeline,
  viewDetails,
} from './lib/payments.ts'
import { recordTimers } from './lib/timing.ts'

test('[DETAIL-14] [CALLS-45] [ERR-40] [ERR-41] every failure of a refund is shown in the dialog and as a toast, and the refund can be retried', async ({
  page,
  context,
  gateway,
  seller,
  wallet,
  openDashboard,
  consoleErrors,
}) => {
  const payment = await approved(seller, wallet, { refund: 'declined' })
  const unanswered = await approved(seller, wallet, { refund: 'pending' })
  await openDashboard('/app/payments')

  const expectFailed = async () => {
    await inConfirmation(page, 'Yes, Refund Payment').click()
    await expectToast(page, REFUND_FAILED)
    await expect(confirmation(page).getByRole('alert')).toHaveText(REFUND_FAILED)
    await expect(inConfirmation(page, 'Yes, Refund Payment')).toBeEnabled()
    await page.getByRole('button', { name: 'Dismiss message' }).click()
    await expect(toast(page, REFUND_FAILED)).toBeHidden()
  }

  await openRefundDialog(page, payment)
  await context.setOffline(true)
  await expectFailed()
  await context.setOffline(false)
  await consoleErrors.expect(/ERR_INTERNET_DISCONNECTED/)

  await withoutTable(gateway.dataDir, 'ledger_transfers', expectFailed)
  await consoleErrors.expect(statusError(500))

  await expectFailed()
  await consoleErrors.expect(statusError(409))
  await checkPage(page, 'refund-failed')
  await inConfirmation(page, 'Cancel').click()
  await expect(timeline(page).last()).toHaveText(/^Refund failed.*The money is still yours\./)

  await inDetails(page, 'Close dialog').click()
  await expect(details(page)).toBeHidden()
  await viewDetails(page, payment).click()
  await expect(inDetails(page, 'Refund Payment')).toBeVisible()
  await expect(page.getByText(REFUND_FAILED)).toBeHidden()
  await inDetails(page, 'Refund Payment').click()
  await expect(confirmation(page).getByRole('alert')).toBeHidden()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')

  // The refund is accepted and not confirmed.
  await openRefundDialog(page, unanswered)
  const timers = await recordTimers(page)
  await inConfirmation(page, 'Yes, Refund Payment').click()
  await expectToast(page, REFUND_FAILED)
  expect(await timers()).toContain(3000)
  await expect(toast(page, REFUND_FAILED)).toBeHidden()
  await expect(confirmation(page).getByRole('alert')).toHaveText(REFUND_FAILED)
  await inConfirmation(page, 'Cancel').click()
  await expect(timeline(page).last()).toHaveText(/^Refund on its way/)
})

test('without a network the details show an error, and load after the network is restored', async ({
  page,
  context,
  seller,
  openDashboard,
  consoleErrors,
}) => {
  const payment = await seller.pay()
  await openDashboard('/app/payments')
  await expect(row(page, payment)).toBeVisible()
  await context.setOffline(true)
  await viewDetails(page, payment).click()
  await expect(fact(page, 'Payment ID')).toContainText(payment.id)
  await expect(details(page).getByRole('alert')).toContainText(
    'Network error. Please check your connection and try again.',
  )
  await checkPage(page, 'payment-details-offline')
  await context.setOffline(false)
  await consoleErrors.expect(/ERR_INTERNET_DISCONNECTED/)
  await expect(timeline(page)).toHaveText([/^Payment created/])
})

import type { Payment } from '@muripo/rig/merchant'
import type { Locator, Page } from '@playwright/test'
import { expect, statusError, test } from './fixtures.ts'
import { checkLayout, checkPage, checkWidths } from './lib/check-page.ts'
import { recordCalls, toast } from './lib/page.ts'
import {
  approved,
  confirmation,
  details,
  fact,
  inConfirmation,
  inDetails,
  placeWhileLoading,
  row,
  timeline,
  viewDetails,
  whileRequestIsHeld,
} from './lib/payments.ts'
import { recordTimers } from './lib/timing.ts'

/** The call for the details of a payment. */
const DETAILS = '**/v1/payments/pay_*'

test.use({ permissions: ['clipboard-read', 'clipboard-write'], reducedMotion: 'no-preference' })

const LIST = 'GET /v1/payments/all'

const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

/** Opens a completed payment. Its timeline takes the place that was reserved for it. */
async function expectCompleted(page: Page, payment: Payment): Promise<void> {
  const empty = await whileRequestIsHeld(
    page,
    DETAILS,
    () => viewDetails(page, payment).click(),
    () => placeWhileLoading(page),
  )
  await expect(timeline(page)).toHaveText([
    /^Payment created/,
    /^Payment request sent.*EcoCash, 077 \*\*\* \d{4}/,
    /^Payment completed.*EcoCash/,
  ])
  expect(await details(page).boundingBox(), 'the dialog with its timeline').toEqual(empty)
  await expect(fact(page, 'Payment Method Reference')).not.toHaveText('null')
}

/** Leaves the open question by Escape, which does not close the dialog below it, then by its button, and opens it again. */
async function expectRefundCanBeLeft(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(confirmation(page)).toBeHidden()
  await expect(inDetails(page, 'Refund Payment')).toBeFocused()
  await inDetails(page, 'Refund Payment').click()
  await inConfirmation(page, 'Cancel').click()
  await expect(confirmation(page)).toBeHidden()
  await inDetails(page, 'Refund Payment').click()
}

/** Confirms the refund, which cannot be left while it runs. */
async function refundWhole(page: Page): Promise<void> {
  const answered = page.waitForResponse(/payments\/refund/)
  await whileRequestIsHeld(
    page,
    '**/v1/payments/refund',
    () => inConfirmation(page, 'Yes, Refund Payment').click(),
    async () => {
      await expect(inConfirmation(page, 'Refunding...')).toBeDisabled()
      await expect(inConfirmation(page, 'Cancel')).toBeDisabled()
      await page.keyboard.press('Escape')
      await expect(confirmation(page)).toBeVisible()
    },
  )
  expect((await answered).status()).toBe(200)
}

test.describe('the details', () => {
  test.use({ viewport: { width: 1440, height: 900 } })

  test('[DETAIL-01] [DETAIL-02] [DETAIL-03] [DETAIL-04] [DETAIL-05] [DETAIL-13] a payment opens by keyboard, has its own address, and returns the focus', async ({
    page,
    seller,
    openDashboard,
  }) => {
    const payment = await seller.pay()
    await openDashboard('/app/payments?status=pending')
    const open = viewDetails(page, payment)
    await open.focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/app/payments?status=pending&payment=${payment.id}`)

    await expect(timeline(page)).toHaveText([/^Payment created.*Today, \d\d:\d\d [AP]M$/])
    await expect(details(page)).toHaveText(
      /^Payment DetailsUSD25\.00PENDINGThe customer has not chosen how to pay yet\. Pass the payment link on to them\.Payment ID/,
    )
    expect((await details(page).getByRole('term').allTextContents()).slice(0, 7)).toEqual([
      'Payment ID',
      'Method',
      'Payment Method Reference',
      'Purpose',
      'Customer Phone',
      'Created',
      'Transaction ID',
    ])
    await expect(fact(page, 'Payment Method Reference')).toHaveText('null')
    await expect(fact(page, 'Transaction ID')).toContainText(payment.id.replace('pay_', 'txn_'))
    await expect(inDetails(page, 'Refund Payment')).toBeHidden()
    await checkWidths(page, 'payment-details')

    for (const [name, text] of [
      ['Copy Payment ID', payment.id],
      ['Copy Transaction ID', payment.id.replace('pay_', 'txn_')],
      ['Copy payment link', payment.payment_url],
    ] as const) {
      await inDetails(page, name).click()
      expect(await copied(page)).toBe(text)
    }
    await page.setViewportSize({ width: 375, height: 740 })
    await expectTargets(details(page), 44)
    await page.setViewportSize({ width: 1440, height: 900 })

    // The focus cycles within the dialog.
    const stops = await details(page).getByRole('button').count()
    for (let stop = 0; stop <= stops; stop += 1) {
      await page.keyboard.press('Tab')
      expect(await details(page).evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true)
    }

    const moved = await movements(page)
    await page.keyboard.press('Escape')
    await expect(details(page)).toBeHidden()
    expect(await moved()).toContain('0.3s')
    await expect(page).toHaveURL('/app/payments?status=pending')
    await expect(open).toBeFocused()
    await page.goForward()
    await expect(details(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(details(page)).toBeHidden()
  })

  test('[GUARD-25] [DETAIL-06] [DETAIL-07] [DETAIL-08] [DETAIL-09] [DETAIL-10] [DETAIL-11] [DETAIL-12] [DETAIL-14] [CALLS-44] [CALLS-45] [ERR-39] [R-36] [R-37] a completed payment is refunded', async ({
    page,
    seller,
    wallet,
    openDashboard,
  }) => {
    const payment = await approved(seller, wallet)
    await openDashboard('/app/payments')
    await expectCompleted(page, payment)
    await checkWidths(page, 'payment-details-completed')
    await expectCleanSheet(page)

    await inDetails(page, 'Refund Payment').click()
    await expect(confirmation(page)).toContainText('Are you sure?')
    await expect(confirmation(page)).toContainText(
      `This will refund USD25.00 for payment ${payment.id}. This action cannot be undone.`,
    )
    await checkWidths(page, 'confirm-refund')
    await expectRefundCanBeLeft(page)

    const made = recordCalls(page)
    const timers = await recordTimers(page)
    await refundWhole(page)
    expect(made.body('POST /v1/payments/refund')).toEqual({
      paymentId: payment.id,
      amount: 25,
      currency: 'USD',
    })
    const done = `Payment ${payment.id} has been successfully refunded.`
    await expect(confirmation(page)).toBeHidden()
    await expect(details(page).getByText(done)).toBeVisible()
    await expect(inDetails(page, 'Refund Payment')).toBeHidden()
    // The dialog opens again before the list is refetched. It shows no message and offers no second refund.
    await page.keyboard.press('Escape')
    await expect(details(page)).toBeHidden()
    await viewDetails(page, payment).click()
    await expect(fact(page, 'Payment ID')).toBeVisible()
    await expect(details(page).getByText(done)).toBeHidden()
    await expect(inDetails(page, 'Refund Payment')).toBeHidden()

    await expect.poll(() => made.names()).toContain(LIST)
    expect(await timers()).toEqual(expect.arrayContaining([1000, 2500]))
    await expect(details(page).getByText('REFUNDED', { exact: true })).toBeVisible()
    await expect(timeline(page).nth(3)).toHaveText(/^Refund requested.*USD25\.00/)
    await expect(timeline(page).nth(4)).toHaveText(/^Refunded.*USD25\.00, reference /)
    await expect(toast(page, done)).toBeHidden()
    await checkWidths(page, 'payment-details-refunded', checkPage, checkLayout)

    await expect(inDetails(page, 'Refund Payment')).toBeHidden()
    await inDetails(page, 'Close dialog').click()
    await expect(row(page, payment)).toContainText('REFUNDED')
  })
})

test('a link to a payment survives reload, works where the list does not show it, and the back button closes it', async ({
  page,
  seller,
  openDashboard,
  consoleErrors,
}) => {
  const payment = await seller.pay()
  await openDashboard('/app/payments')
  for (const reducedMotion of ['reduce', 'no-preference'] as const) {
    await page.emulateMedia({ reducedMotion })
    await row(page, payment).getByText('USD25.00 - Woven basket').click()
    await expect(timeline(page)).toHaveCount(1)
    await page.goBack()
    await expect(details(page)).toBeHidden()
    await expect(page).toHaveURL('/app/payments')
    await expect(viewDetails(page, payment)).toBeFocused()
  }

  await page.goForward()
  await page.reload()
  await expect(timeline(page)).toHaveCount(1)
  await inDetails(page, 'Close dialog').click()
  await expect(page).toHaveURL('/app/payments')

  await page.goto(`/app/payments?status=failed&payment=${payment.id}`)
  await expect(fact(page, 'Payment ID')).toContainText(payment.id)
  await inDetails(page, 'Close dialog').click()
  await expect(page).toHaveURL('/app/payments?status=failed')
  await expect(page.getByText('No payments found matching your filters.')).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()

  const other = await seller.pay()
  const empty = await whileRequestIsHeld(
    page,
    DETAILS,
    () =>
      page.evaluate((id) => {
        history.pushState({}, '', `/app/payments?payment=${id}&status=failed`)
        dispatchEvent(new PopStateEvent('popstate'))
      }, other.id),
    () => placeWhileLoading(page),
  )
  await expect(timeline(page)).toHaveCount(1)
  expect(await details(page).boundingBox(), 'the dialog when its payment has come').toEqual(empty)

  const nobodys = `${payment.id.slice(0, -6)}000000`
  await page.goto(`/app/payments?payment=${nobodys}`)
  await expect(details(page).getByText('There is no such payment.')).toBeVisible()
  await page.setViewportSize({ width: 375, height: 740 })
  await checkPage(page, 'payment-details-none')
  await consoleErrors.expect(statusError(404))
  await inDetails(page, 'Back to payments').click()
  await expect(details(page)).toBeHidden()
  await expect(page).toHaveURL('/app/payments')
})

/** Sets the duration of dialog transitions. */
async function movements(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const durations: string[] = []
    Object.assign(window, { durations })
    document.addEventListener('transitionrun', ({ target }) => {
      if (target instanceof HTMLDialogElement) durations.push(getComputedStyle(target).transitionDuration)
    })
  })
  return () => page.evaluate(() => (window as unknown as { durations: string[] }).durations)
}

async function expectTargets(area: Locator, smallest: number): Promise<void> {
  for (const target of await area.getByRole('button').all()) {
    const box = await target.boundingBox()
    const name = (await target.textContent()) || (await target.getAttribute('aria-label'))
    expect(Math.min(box?.width ?? 0, box?.height ?? 0), `the target "${name}"`).toBeGreaterThanOrEqual(
      smallest,
    )
  }
}

/** Checks that a printed page has the payment alone. */
async function expectCleanSheet(page: Page): Promise<void> {
  for (const name of ['1024', '768']) {
    await page.setViewportSize({ width: Number(name), height: 900 })
    await checkLayout(page, `payment-details-completed-${name}`)
  }
  await page.emulateMedia({ media: 'print' })
  await checkLayout(page, 'payment-details-printed')
  await expect(page.getByRole('heading', { name: 'Payments', exact: true })).toBeHidden()
  await expect(details(page).getByRole('button').filter({ visible: true })).toHaveCount(0)
  await expect(details(page).getByText('USD25.00', { exact: true }).first()).toBeVisible()
  await expect(details(page).getByText('Chiedza Crafts', { exact: true })).toBeVisible()
  await expect(timeline(page).last()).toBeVisible()
  // A printed page is white in each colour scheme.
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.locator('html')).toHaveAttribute('data-color-scheme', 'dark')
  await expect(details(page).locator('[data-tone=green]').first()).toHaveCSS('color', 'rgb(6, 118, 71)')
  await expect(details(page).getByText('USD25.00', { exact: true }).first()).toHaveCSS(
    'color',
    'rgb(16, 24, 40)',
  )
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
}

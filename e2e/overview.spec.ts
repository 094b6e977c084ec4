import { createApplication, createPayment } from '@muripo/rig/merchant'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { checkEveryWidth, checkLayout, checkWidths } from './lib/check-page.ts'
import { ageCompletion } from './lib/database.ts'
import { focusedName, holdStats, refresh, region, STATS } from './lib/overview.ts'
import { button, recordCalls, title } from './lib/page.ts'
import { payFrom } from './lib/payers-page.ts'
import { approved } from './lib/payments.ts'

test.use({ reducedMotion: 'no-preference' })

const REVENUE = 'Revenue, last 30 days'
const METHODS = 'Top Used Payment Methods'
const RECENT = 'Recent Transactions'
const labels = ['Total Revenue Today', 'Revenue Last 7 Days', 'Total Completed Payments', 'Applications']

const pie = (page: Page) => region(page, METHODS).getByRole('figure')
const steps = (page: Page) => region(page, 'First steps')
const slices = (page: Page) => pie(page).locator('path')
const cards = (page: Page) => region(page, 'Summary').locator('> div')

/** The browser's figure of layout shift. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const seen = { shift: 0 }
    Object.assign(window, { seen })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number
        hadRecentInput: boolean
      })[]) {
        if (!entry.hadRecentInput) seen.shift += entry.value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () => page.evaluate(() => (window as unknown as { seen: { shift: number } }).seen.shift)
}

/** Waits until the page has refetched its figures after an update, and has made no call for half a second. */
async function updateIsApplied(made: ReturnType<typeof recordCalls>): Promise<void> {
  let seen = 0
  const more = () => {
    const before = seen
    seen = made.count(STATS)
    return seen - before
  }
  await expect.poll(more, { intervals: [0, 500] }).toBe(0)
}

const recentItems = (page: Page) => region(page, RECENT).getByRole('listitem')

/** Refreshes the page by keyboard, after it has received a payment. @returns the figures */
async function refreshAfterPayment(
  page: Page,
  pay: () => Promise<unknown>,
  made: ReturnType<typeof recordCalls>,
) {
  await pay()
  await expect(recentItems(page).first()).toContainText('USD4.00')
  await updateIsApplied(made)
  const requestedBefore = made.count(STATS)
  const answered = page.waitForResponse('**/v1/stats/dashboard')
  await refresh(page).focus()
  await page.keyboard.press('Enter')
  const { data } = await (await answered).json()
  expect(made.count(STATS)).toBe(requestedBefore + 1)
  expect(made.body(STATS)).toBeNull()
  expect(data).toMatchObject({
    totalRevenueToday: 1037.5,
    revenueLast7Days: 1062.5,
    totalCompleted: 3,
    totalApplications: 1,
    topPaymentMethods: [{ method: 'ecocash', count: 3 }],
  })
  expect(Object.keys(data.recentPayments[1])).toEqual([
    'paymentId',
    'createdAt',
    'method',
    'applicationName',
    'amount',
    'currency',
    'status',
    'amountCaptured',
    'amountRefunded',
  ])
  return data
}

async function expectFigures(page: Page): Promise<void> {
  const recent = recentItems(page)
  await expect(recent).toHaveText([/USD4\.00/, /USD3\.00/, /ZWG700\.00/, /USD1037\.50/])
  await expect(recent.last()).toHaveText(
    /^Chiedza Crafts[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{2}:\d{2} [AP]MEcoCashUSD1037\.50COMPLETED$/,
  )
  await expect(recent.first()).toHaveText(/Not chosen yetUSD4\.00PENDING$/)
  await expect(cards(page)).toHaveText([
    'Total Revenue Today$1,037.50$1,012.50 more than yesterday by this hour',
    'Revenue Last 7 Days$1,062.50No revenue the week before',
    'Total Completed Payments33 in 7 days, none the week before',
    'Applications11 new in 7 days, none the week before',
  ])
  expect(await region(page, 'Summary').getByRole('heading').allTextContents()).toEqual(labels)
  await expect(page.getByText('ZWG700.00 (ZWG700.00 today)')).toBeVisible()
  await expect(page.getByText(/^Best day: .* with \$1,037\.50$/)).toBeVisible()
  await expect(region(page, REVENUE).getByRole('row')).toHaveCount(30)
  await expect(region(page, REVENUE).getByRole('row').last()).toHaveText(/\$1,037\.50$/)
}

/** Moves by keyboard from the focused button through the days. */
async function walkDays(page: Page): Promise<void> {
  expect(await focusedName(page)).toBe('Refresh')
  const days = page.getByRole('slider', { name: 'Day' })
  for (const label of labels) {
    await page.keyboard.press('Tab')
    expect(await focusedName(page)).toBe(label)
  }
  await page.keyboard.press('Tab')
  await expect(days).toBeFocused()
  await expect(days).toHaveAttribute('aria-valuetext', /, so far: \$1,037\.50$/)
  await page.keyboard.press('ArrowLeft')
  await expect(days).toHaveAttribute('aria-valuetext', /: \$25\.00$/)
  await expect(region(page, REVENUE).getByText('$25.00', { exact: true }).last()).toBeVisible()
}

/** A day leads to its payments by its bar, by keyboard and by its card. */
async function followToDay(page: Page, today: string): Promise<void> {
  const ofToday = `/app/payments?from=${today}&to=${today}`
  const days = page.getByRole('slider', { name: 'Day' })
  await days.press('End')
  await days.press('Enter')
  await expect(page).toHaveURL(ofToday)
  await page.goBack()
  await expect(recentItems(page)).toHaveCount(4)
  const { width, height } = (await days.boundingBox()) ?? { width: 0, height: 0 }
  await days.click({ position: { x: width - 3, y: height - 8 }, force: true })
  await expect(page).toHaveURL(ofToday)
  await page.goBack()
  await page.getByRole('link', { name: 'Total Revenue Today' }).click()
  await expect(page).toHaveURL(ofToday)
  await expect(page.getByText(/^Showing \d of 5 payment transactions/)).toBeVisible()
  await page.goBack()
  await page.getByRole('link', { name: 'Total Completed Payments' }).click()
  await expect(page).toHaveURL('/app/payments?status=completed')
  await page.goBack()
  await expect(recentItems(page)).toHaveCount(4)
}

async function followToPayments(page: Page, paymentId: string): Promise<void> {
  const recent = recentItems(page)
  await page.mouse.move(0, 0)
  await page.keyboard.press('Tab')
  if (await pie(page).isVisible()) {
    await expect(pie(page).getByRole('link', { name: 'EcoCash' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/app/payments?method=ecocash')
    await expect(page.getByText('Showing 3 of 5 payment transactions')).toBeVisible()
    await page.goBack()
    await pie(page).getByRole('link', { name: 'EcoCash' }).focus()
    await page.keyboard.press('Tab')
  }
  expect(await focusedName(page)).toBe('Chiedza Crafts, USD4.00')
  await page.getByRole('link', { name: 'View all transactions' }).press('Enter')
  await expect(page).toHaveURL('/app/payments')
  await page.goBack()
  // Going back restores the scroll position, which moves the target of a click.
  await expect(recent).toHaveCount(4)
  await recent.last().click({ position: { x: 8, y: 8 } })
  await expect(page).toHaveURL(`/app/payments?payment=${paymentId}`)
  await expect(page.getByRole('dialog', { name: 'Payment Details' })).toContainText('USD1037.50')
}

test('a test payment of the first steps arrives in the list, and the first payment of a customer ends the steps', async ({
  page,
  gateway,
  merchant,
  openDashboard,
}) => {
  const application = await createApplication(gateway.url, merchant.tokens)
  await openDashboard('/app')
  await expect(steps(page)).toContainText('2 of 4')
  await steps(page).getByRole('button', { name: 'Take a test payment' }).press('Enter')
  await expect(steps(page)).toContainText('3 of 4', { timeout: 15_000 })
  await expect(recentItems(page)).toHaveText([/EcoCash.*USD1\.00COMPLETED$/])
  await expect(steps(page).getByRole('listitem').nth(2)).toBeFocused()
  await checkEveryWidth(page, 'overview-steps')
  await page.reload()
  await expect(steps(page)).toContainText('3 of 4')
  const payment = await createPayment(gateway.url, application.applicationKey, { amount: 5 })
  await payFrom('0771111111', payment)
  await expect(region(page, REVENUE)).toContainText('$6.00', { timeout: 15_000 })
  await expect(steps(page)).toHaveCount(0)
})

test.describe('on a wide screen', () => {
  test.use({ viewport: { width: 1440, height: 900 } })

  test('[DASH-01] [DASH-02] [DASH-03] [DASH-04] [DASH-05] [DASH-06] [DASH-10] [DASH-11] [DASH-12] [DASH-13] [DASH-14] [DASH-15] [DASH-16] [DASH-18] [CONST-13] [CONST-16] [R-12] [R-28] the page loads without a jump, and shows a sample to a merchant without payments', async ({
    page,
    openDashboard,
  }) => {
    const shift = await watchShifts(page)
    const release = await holdStats(page)
    await openDashboard()
    await expect(title(page, 'Dashboard')).toBeVisible()
    await expect(page.getByText("Welcome back! Here's an overview of your payments metrics.")).toBeVisible()
    await expect(button(page, 'Refreshing...')).toBeDisabled()
    for (const name of ['Summary', REVENUE, RECENT, METHODS]) {
      await expect(region(page, name)).toHaveAttribute('aria-busy', 'true')
      await expect(region(page, name).locator('[data-skeleton]').first()).toBeVisible()
    }
    await expect(page.getByText('Sample data')).toHaveCount(0)
    await checkLayout(page, 'overview-loading')

    await release()
    await expect(refresh(page)).toBeEnabled()
    await expect(page.locator('[data-skeleton]')).toHaveCount(0)
    await expect(cards(page)).toHaveText([
      'Total Revenue Today$0.00No revenue yesterday by this hour',
      'Revenue Last 7 Days$0.00No revenue the week before',
      'Total Completed Payments0None in two weeks',
      'Applications0None new in two weeks',
    ])
    await expect(steps(page).getByRole('listitem')).toHaveText([
      'Done: Confirm your email',
      /^Create an application/,
      /^Take a test payment/,
      /^Add your bank account/,
    ])
    await expect(page.getByText('No recent transactions found')).toBeVisible()
    await expect(page.getByRole('link', { name: 'View all transactions' })).toHaveCount(0)

    await expect(page.getByText('Sample data')).toBeVisible()
    await expect(region(page, METHODS)).toBeVisible()
    await expect(pie(page).getByRole('listitem')).toHaveText([
      'Mobile Money4545 payments29%',
      'Bank Transfer3232 payments21%',
      'Card Payment2828 payments18%',
      'Cash5151 payments33%',
    ])
    await expect(slices(page)).toHaveCount(4)
    await expect(slices(page).first()).toHaveCSS('stroke-width', '1px')
    const [chart, drawing, legend] = await Promise.all(
      [pie(page), pie(page).locator('svg'), pie(page).getByRole('list')].map((part) => part.boundingBox()),
    )
    expect(chart?.height).toBe(400)
    expect(legend?.y).toBeGreaterThanOrEqual((drawing?.y ?? 0) + (drawing?.height ?? 0))
    await page.setViewportSize({ width: 1023, height: 900 })
    await expect(region(page, METHODS)).toBeHidden()
    await page.setViewportSize({ width: 1024, height: 900 })
    await expect(region(page, METHODS)).toBeVisible()
    await page.setViewportSize({ width: 1440, height: 900 })
    expect(await shift()).toBeLessThan(0.001)
    await checkWidths(page, 'overview-empty')

    await page.getByRole('link', { name: 'Create an application' }).click()
    await expect(page.getByRole('dialog', { name: 'Create New Application' })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.reload()
    await expect(page.getByText('No applications found', { exact: true })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await button(page, 'Create your first application').click()
    await expect(page.getByRole('dialog', { name: 'Create New Application' })).toBeVisible()
  })

  test('[DASH-06] [DASH-07] [DASH-08] [DASH-09] [DASH-10] [DASH-19] [CALLS-25] [CALLS-26] [CALLS-27] [CALLS-28] [CALLS-29] [CONST-08] [CONST-09] [CONST-14] [R-04] [R-26] the page shows the payments, the earnings of each day, and their comparison with the days before', async ({
    page,
    gateway,
    seller,
    wallet,
    openDashboard,
  }) => {
    const shift = await watchShifts(page)
    const yesterdays = await approved(seller, wallet, {}, { amount: 25 })
    await approved(seller, wallet, {}, { amount: 1037.5 })
    await approved(seller, wallet, {}, { amount: 700, currency: 'ZWG' })
    await seller.pay({ amount: 3 })
    await openDashboard()
    const recent = recentItems(page)
    await expect(recent).toHaveCount(4)
    await expect(recent.filter({ hasText: 'COMPLETED' })).toHaveCount(3)

    const made = recordCalls(page)
    await ageCompletion(gateway.dataDir, yesterdays.id, 1)
    const data = await refreshAfterPayment(page, () => seller.pay({ amount: 4 }), made)
    await expectFigures(page)
    await walkDays(page)
    await expect(page.getByText('Sample data')).toHaveCount(0)
    await expect(pie(page).getByRole('listitem')).toHaveText(['EcoCash33 payments100%'])
    await slices(page).hover()
    await expect(pie(page).getByText('3 payments, 100%')).toBeVisible()
    await checkWidths(page, 'overview')
    await followToPayments(page, data.recentPayments[3].paymentId)
    await page.goBack()
    await followToDay(page, data.revenueByDay.at(-1).day)

    await openDashboard()
    await expect(recent).toHaveCount(4)
    expect(await shift()).toBeLessThan(0.001)
  })
})

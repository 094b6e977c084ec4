import type { Page, Request } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { expectToast, title } from './lib/page.ts'
import { details, grid } from './lib/payments.ts'

const menu = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('link', { name, exact: true }).first()

/** The addresses of the page's calls from now on. */
function recordCalls(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request: Request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/v1/') && pathname !== '/v1/live') calls.push(pathname + search)
  })
  return calls
}

/** Holds the files of the build until the returned function is called. */
async function holdFiles(page: Page, files: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(files, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

test('the data of a page is requested at the click, before its code arrives, and once', async ({
  page,
  openDashboard,
}) => {
  // The last calls of the dashboard are those of the first steps.
  const ofSteps = ['**/v1/payments/options', '**/v1/applications/all'].map((url) => page.waitForResponse(url))
  await openDashboard()
  await Promise.all(ofSteps)
  const release = await holdFiles(page, /\/assets\/settings-.*\.js/)
  const calls = recordCalls(page)
  await menu(page, 'Settings').click()
  const expected = ['/v1/account/passkeys', '/v1/account/sessions']
  await expect.poll(() => calls).toEqual(expected)
  await expect(title(page, 'Dashboard')).toBeVisible()
  release()
  await expect(page.getByText('This device')).toBeVisible()
  expect(calls).toEqual(expected)
})

test('the first calls of an opened address are sent before its scripts arrive, and once', async ({
  page,
  seller,
  openDashboard,
}) => {
  await seller.pay()
  const release = await holdFiles(page, /\/assets\/.*\.js/)
  await openDashboard('/favicon.svg')
  const calls = recordCalls(page)
  await page.goto('/app/payments', { waitUntil: 'commit' })
  const expected = ['/v1/account', '/v1/payments/all?limit=100']
  await expect.poll(() => calls).toEqual(expected)
  release()
  await expect(grid(page).getByRole('row')).toHaveCount(2)
  // The update of the new payment may arrive while the list is loading, whose counts are then fetched again.
  expect(calls.filter((address) => !address.endsWith('?limit=1'))).toEqual(expected)
})

test('a payment that is opened before the code of its details arrives is shown when it does', async ({
  page,
  seller,
  openDashboard,
}) => {
  await seller.pay()
  const release = await holdFiles(page, /\/assets\/open-payment-.*\.js/)
  await openDashboard('/app/payments')
  await grid(page).getByRole('button', { name: 'View Details' }).click()
  await expect(details(page).locator('[aria-busy=true]')).toBeVisible()
  release()
  await expect(details(page).getByText('Payment ID', { exact: true })).toBeVisible()
})

test('a payment whose details cannot be loaded closes, and opens when the network is back', async ({
  page,
  seller,
  openDashboard,
  consoleErrors,
}) => {
  consoleErrors.ignore(/ERR_FAILED|Failed to fetch|code was not loaded/)
  await seller.pay()
  await page.route(/\/assets\/open-payment-.*\.js/, (route) => route.abort())
  await openDashboard('/app/payments')
  const view = grid(page).getByRole('button', { name: 'View Details' })
  await view.click()
  await expectToast(page, 'Network error. Please check your connection and try again.')
  await expect(details(page)).toBeHidden()
  await page.unroute(/\/assets\/open-payment-.*\.js/)
  await view.click()
  await expect(details(page).getByText('Payment ID', { exact: true })).toBeVisible()
})

test('a link that is touched without a network opens its page when the network is back', async ({
  page,
  context,
  openDashboard,
  consoleErrors,
}) => {
  consoleErrors.ignore(/ERR_INTERNET_DISCONNECTED|Failed to fetch|ERR_FAILED/)
  await openDashboard()
  await expect(page.getByText('No recent transactions found')).toBeVisible()
  await page.evaluate(() => Object.assign(window, { same: true }))
  const isSame = () => page.evaluate(() => 'same' in window)

  await context.setOffline(true)
  await menu(page, 'Settings').hover()
  await menu(page, 'Settings').focus()
  await menu(page, 'Settings').click()
  await expectToast(page, 'You are offline. This page opens once the network is back.')
  await expect(title(page, 'Dashboard')).toBeVisible()
  await context.setOffline(false)
  await menu(page, 'Settings').click()
  await expect(page.getByText('This device')).toBeVisible()
  expect(await isSame()).toBe(true)

  // The browser does not know that the network is cut.
  await page.route(/\/assets\/applications-.*\.js/, (route) => route.abort())
  const failed = page.waitForEvent('requestfailed')
  await menu(page, 'Applications').hover()
  await failed
  await page.unroute(/\/assets\/applications-.*\.js/)
  await expect(title(page, 'Settings')).toBeVisible()
  expect(await isSame()).toBe(true)
  await menu(page, 'Applications').click()
  await expect(title(page, 'Applications')).toBeVisible()
})

/** A phone with a weak signal. */
async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  const bytesPerSecond = 400_000 / 8
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 300,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
}

const printSeconds = (what: string, ms: number) =>
  process.stdout.write(`${(ms / 1000).toFixed(2).padStart(8)} s  ${what}\n`)

/** Figures for docs/performance.md: `MURIPO_SLOW_LINE=1 npx playwright test e2e/slow-line.spec.ts`. */
function measureSlowLine(): void {
  test('the first rows of payments, opened by their address', async ({ page, seller, openDashboard }) => {
    await seller.pay()
    await openDashboard('/favicon.svg')
    await slowDown(page)
    await page.goto('/app/payments', { waitUntil: 'commit' })
    await expect(grid(page).getByRole('row').nth(1)).toBeVisible({ timeout: 30_000 })
    printSeconds('/app/payments to its rows', await page.evaluate(() => performance.now()))
  })

  test('the settings, by a click on their link', async ({ page, openDashboard }) => {
    await openDashboard()
    await expect(page.getByText('No recent transactions found')).toBeVisible()
    await slowDown(page)
    await page.evaluate(() => {
      addEventListener('click', () => performance.mark('click'), { capture: true })
    })
    await menu(page, 'Settings').click()
    await expect(page.getByText('This device')).toBeVisible({ timeout: 30_000 })
    const { call, shown } = await page.evaluate(() => {
      const clicked = performance.getEntriesByName('click')[0]?.startTime ?? Number.NaN
      const sent = performance
        .getEntriesByType('resource')
        .find(({ name }) => name.endsWith('/account/sessions'))
      return { call: (sent?.startTime ?? Number.NaN) - clicked, shown: performance.now() - clicked }
    })
    printSeconds('click on Settings to its call', call)
    printSeconds('click on Settings to its data', shown)
  })
}

if (process.env.MURIPO_SLOW_LINE) test.describe('at 300 ms and 400 kbit/s', measureSlowLine)

import type { Browser, Page } from '@playwright/test'
import { expect, statusError, test } from './fixtures.ts'
import { checkLayout, openCopy } from './lib/check-page.ts'
import { ageAttempts } from './lib/database.ts'
import { type NetworkProxy, secondGeneration } from './lib/network-proxy.ts'
import { title } from './lib/page.ts'
import { payWith } from './lib/payers-page.ts'
import { newPhone } from './lib/wallet.ts'

const LARGEST_PAGE_BYTES = 14_000
const LARGEST_JOURNEY_BYTES = 60_000

const throughProxy = (networkProxy: NetworkProxy, { payment_url }: { payment_url: string }) =>
  networkProxy.url + new URL(payment_url).pathname

/** Expects no sideways scroll with text of twice the size. */
async function checkDoubleText(browser: Browser, page: Page, name: string) {
  const { copy } = await openCopy(browser, page)
  await copy.addStyleTag({ content: 'html { font-size: 200% }' })
  await checkLayout(copy, name)
  await copy.context().close()
}

/**
 * Counts the bytes of each page and of the journey. A page without script reloads while it waits, the more often the busier the
 * machine is, so its reloads count as one load.
 */
function countBytes(networkProxy: NetworkProxy, page: Page) {
  let before = networkProxy.receivedBytes()
  let total = 0
  let loads = 0
  page.on('domcontentloaded', () => {
    loads += 1
  })
  return {
    async expectPage(name: string) {
      await page.waitForLoadState()
      const bytes = (networkProxy.receivedBytes() - before) / Math.max(loads, 1)
      before = networkProxy.receivedBytes()
      loads = 0
      total += bytes
      expect(bytes, `bytes of ${name}`).toBeLessThanOrEqual(LARGEST_PAGE_BYTES)
    },
    expectJourney: () => expect(total, 'bytes of the journey').toBeLessThanOrEqual(LARGEST_JOURNEY_BYTES),
  }
}

/** The payer approves during twenty seconds without a network. The page shows the missing network, and continues afterwards. */
async function whileOffline(page: Page, approve: () => Promise<void>) {
  await page.context().setOffline(true)
  await expect(page.getByText('Still trying')).toBeVisible()
  await approve()
  await page.waitForTimeout(20_000)
  await expect(title(page, 'Confirm on your phone')).toBeVisible()
  await page.context().setOffline(false)
}

/**
 * Expects that an open page is painted from its document alone: in a browser context without a cache no other file ever arrives. A page that
 * waits for one needs another round trip, which takes a second on a slow network.
 */
async function expectPaintedAlone(browser: Browser, page: Page, name: string) {
  await expect(title(page, name)).toBeVisible()
  const context = await browser.newContext()
  try {
    await context.route('**/*', (route) =>
      route.request().isNavigationRequest() ? route.continue() : undefined,
    )
    const copy = await context.newPage()
    await copy.goto(page.url(), { waitUntil: 'commit' })
    await expect(title(copy, name)).toBeVisible()
    const painted = () => copy.evaluate(() => performance.getEntriesByName('first-contentful-paint').length)
    await expect.poll(painted, name).toBe(1)
  } finally {
    await context.close()
  }
}

test('each step of a payment is painted from its document alone', async ({
  browser,
  page,
  seller,
  wallet,
}) => {
  const phone = newPhone()
  await page.goto((await seller.pay()).payment_url)
  await expectPaintedAlone(browser, page, 'Pay Chiedza Crafts')
  await payWith(page, phone)
  await expectPaintedAlone(browser, page, 'Confirm on your phone')
  await wallet.enterPin(phone)
  await expectPaintedAlone(browser, page, 'Payment completed')
  await page.getByRole('link', { name: 'Receipt' }).click()
  await expectPaintedAlone(browser, page, 'Receipt')
})

for (const [method, name] of [
  ['InnBucks', 'Pay in the InnBucks app'],
  ['Visa/Mastercard', 'One more step'],
] as const)
  test(`the step of ${method} is as small, and painted from its document alone`, async ({
    browser,
    page,
    networkProxy,
    seller,
  }) => {
    const bytes = countBytes(networkProxy, page)
    await page.goto(throughProxy(networkProxy, await seller.pay()))
    await bytes.expectPage('the choice of methods')
    await page.getByRole('radio', { name: method }).check()
    await page.getByRole('button', { name: 'Pay USD 25.00' }).click()
    await expect(title(page, name)).toBeVisible()
    await bytes.expectPage(name)
    await expectPaintedAlone(browser, page, name)
  })

test.describe('on a slow network', () => {
  test.use({ viewport: { width: 320, height: 640 } })

  test.beforeEach(({ networkProxy, consoleErrors }) => {
    consoleErrors.ignore(/net::ERR_INTERNET_DISCONNECTED/)
    networkProxy.throttle(secondGeneration)
  })

  for (const hasScript of [true, false])
    test.describe(hasScript ? 'with script' : 'without script', () => {
      test.use({ javaScriptEnabled: hasScript })
      const suffix = hasScript ? 'script' : 'plain'

      test(
        hasScript ? 'paid, although the payer is offline for twenty seconds' : 'paid',
        async ({ browser, page, networkProxy, seller, wallet }) => {
          const phone = newPhone()
          const address = throughProxy(networkProxy, await seller.pay())
          const bytes = countBytes(networkProxy, page)
          await page.goto(address)
          await checkDoubleText(browser, page, `line-choose-${suffix}`)
          await bytes.expectPage('the choice')
          await payWith(page, phone)
          await expect(title(page, 'Confirm on your phone')).toBeVisible()
          await bytes.expectPage('the wait')
          const approve = async () => {
            await wallet.enterPin(phone)
            await checkDoubleText(browser, page, `line-waiting-${suffix}`)
          }
          await (hasScript ? whileOffline(page, approve) : approve())
          await expect(title(page, 'Payment completed')).toBeVisible()
          await expect(page.getByText('Still trying')).toBeHidden()
          if (hasScript) await expect(page.locator('#said')).toHaveText('Payment completed')
          await bytes.expectPage('the result')
          await page.getByRole('link', { name: 'Receipt' }).click()
          await expect(title(page, 'Receipt')).toBeVisible()
          await checkDoubleText(browser, page, `line-receipt-${suffix}`)
          await bytes.expectPage('the receipt')
          bytes.expectJourney()
        },
      )
    })

  test('a payment is declined', async ({ browser, page, networkProxy, seller, wallet }) => {
    const phone = newPhone()
    const bytes = countBytes(networkProxy, page)
    await page.goto(throughProxy(networkProxy, await seller.pay()))
    await bytes.expectPage('the choice')
    await payWith(page, phone)
    await expect(title(page, 'Confirm on your phone')).toBeVisible()
    await bytes.expectPage('the wait')
    await wallet.decline(phone)
    await expect(title(page, 'Not paid')).toBeVisible()
    await bytes.expectPage('the refusal')
    await checkDoubleText(browser, page, 'line-declined')
    bytes.expectJourney()
  })

  test.describe('without script', () => {
    test.use({ javaScriptEnabled: false })

    test('a silent provider is awaited', async ({ browser, page, networkProxy, seller, wallet, gateway }) => {
      const phone = newPhone()
      const payment = await seller.pay()
      await wallet.configureCharge(phone, { neverResolves: true })
      await page.goto(throughProxy(networkProxy, payment))
      await payWith(page, phone)
      await expect(title(page, 'Confirm on your phone')).toBeVisible()
      await ageAttempts(gateway.dataDir, payment.id, 120)
      await expect(title(page, 'Still waiting')).toBeVisible()
      await expect(page.getByText('You will not be charged twice')).toBeVisible()
      await expect(page.getByText(/^EcoCash closes the request at \d\d:\d\d/)).toBeVisible()
      const resend = page.getByRole('button', { name: 'Send it again' })
      await expect(resend).toBeHidden()
      await checkDoubleText(browser, page, 'line-silent')
      await ageAttempts(gateway.dataDir, payment.id, 600)
      await resend.click()
      await expect(page.getByRole('alert')).toContainText('no other one can be sent')
      await checkDoubleText(browser, page, 'line-closed')
      expect(await wallet.transactions(phone)).toHaveLength(1)
      await page.goto(`${networkProxy.url}/resume`)
      await checkDoubleText(browser, page, 'line-resume')
    })
  })

  test('an order is paid once on two pages', async ({
    browser,
    page,
    networkProxy,
    seller,
    wallet,
    consoleErrors,
  }) => {
    const phone = newPhone()
    await wallet.configureCharge(phone, { neverResolves: true })
    const order = { reference: 'ORDER-9' }
    await page.goto(throughProxy(networkProxy, await seller.pay(order)))
    await payWith(page, phone)
    await expect(title(page, 'Confirm on your phone')).toBeVisible()
    await page.goto(throughProxy(networkProxy, await seller.pay(order)))
    await payWith(page, phone)
    await expect(page.getByRole('alert')).toContainText('The order ORDER-9 is being paid on another page.')
    await consoleErrors.expect(statusError(422))
    await checkDoubleText(browser, page, 'line-twice')
    expect(await wallet.transactions(phone)).toHaveLength(1)
  })
})

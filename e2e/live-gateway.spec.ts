import { expect, test } from '@playwright/test'
import { storeTokens } from './fixtures.ts'
import { clear, type GatewayProcess, launch, temporaryDataDir } from './lib/gateway-process.ts'
import { look, lookAtCopy } from './lib/look.ts'
import { createApplication, createPayment, signIn, signUp } from './lib/merchant.ts'
import { title } from './lib/payers-page.ts'

let dataDir = ''
let gateway: GatewayProcess

// As strict as in production, and for real money.
test.beforeAll(async () => {
  dataDir = temporaryDataDir()
  gateway = await launch({ dataDir, environment: { MODE: 'live', RATE_LIMITS: '1' } })
  await gateway.ready()
})
test.afterAll(async () => {
  await gateway.interrupt()
  expect(await clear(dataDir), 'processes that were left').toEqual([])
})

test('[MANAGE-16] [MANAGE-19] an application has a test key besides, which a page for real money does not take for one', async ({
  browser,
}) => {
  const tokens = await signIn(gateway.url, await signUp(gateway.url))
  const application = await createApplication(gateway.url, tokens)
  expect(application.applicationKey).toMatch(/^mk_live_/)
  for (const width of [1440, 375]) {
    const context = await browser.newContext({
      baseURL: gateway.url,
      viewport: { width, height: width === 375 ? 740 : 900 },
    })
    const page = await context.newPage()
    await storeTokens(page, tokens)
    await page.goto(`/app/applications/manage/${application._id}`)
    await page.getByRole('tab', { name: 'Application Key' }).click()
    const keys = page.getByRole('tabpanel').locator('code')
    await expect(keys).toHaveText([application.applicationKey, /^mk_test_/])
    await expect(page.getByRole('tabpanel')).toContainText('it moves no money')
    await expect(page.getByRole('tabpanel')).toContainText('The test key stays.')
    await look(page, `key-live-${width}`)

    if (width === 375) {
      const key = (await keys.last().textContent()) ?? ''
      await page.goto((await createPayment(gateway.url, key)).payment_url)
      await expect(title(page, 'There is no way to pay this here yet')).toBeVisible()
      await expect(page.getByText('Test', { exact: true })).toBeVisible()
      await expect(page.getByText('A test: no real money moves.')).toBeVisible()
      await expect(page.getByRole('button')).toHaveCount(0)
      await look(page, 'checkout-no-method')
      await page.goto((await createPayment(gateway.url, application.applicationKey)).payment_url)
      await expect(page.getByRole('button', { name: 'Pay USD 25.00' })).toBeVisible()
      await expect(page.getByText('Test', { exact: true })).toHaveCount(0)
    }
    await context.close()
  }
})

test('who opens too many payer pages is told to wait, and the page comes again by itself', async ({
  browser,
}) => {
  const ask = async () => (await fetch(`${gateway.url}/pay/nothing`, { method: 'HEAD' })).status
  const seen = new Set<number>()
  for (let asked = 0; asked < 5000 && !seen.has(429); asked += 50) {
    for (const status of await Promise.all(Array.from({ length: 50 }, ask))) seen.add(status)
  }
  expect(seen).toEqual(new Set([404, 429]))

  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 320, height: 640 },
  })
  const page = await context.newPage()
  const answer = await page.goto(`${gateway.url}/pay/nothing`)
  expect(answer?.status()).toBe(429)
  expect(answer?.headers()).toMatchObject({
    'cache-control': 'no-store',
    'retry-after': expect.stringMatching(/^([1-9]|10)$/),
  })
  await expect(title(page, 'Please wait a moment')).toBeVisible()
  await expect(page.getByText('this page opens by itself in a few seconds')).toBeVisible()
  await expect(page.locator('meta[http-equiv=refresh]')).toHaveAttribute(
    'content',
    answer?.headers()['retry-after'] ?? '',
  )
  await lookAtCopy(browser, page, 'checkout-wait')
  await context.close()
})

import { type GatewayProcess, launch } from '@muripo/rig/gateway'
import {
  createApplication,
  createPayment,
  findPayment,
  type Payment,
  signIn,
  signUp,
  type Tokens,
} from '@muripo/rig/merchant'
import { type Browser, expect, type Page, type Response, test } from '@playwright/test'
import { storeTokens } from './fixtures.ts'
import { checkCopy, checkPage } from './lib/check-page.ts'
import { runShell } from './lib/commands.ts'
import { title } from './lib/page.ts'
import { clear, temporaryDataDir } from './lib/processes.ts'
import { openProduction, type Production } from './lib/production.ts'
import { openPublicAddress, type PublicAddress } from './lib/public-address.ts'

let dataDir = ''
let gateway: GatewayProcess
let production: Production
let publicAddress: PublicAddress

test.beforeAll(async () => {
  dataDir = temporaryDataDir()
  production = await openProduction(dataDir)
  publicAddress = await openPublicAddress()
  const environment = { ...production.environment, PUBLIC_URL: publicAddress.url }
  gateway = await launch({ dataDir, environment })
  await gateway.ready()
  publicAddress.forwardTo(gateway.url)
})
test.afterAll(async () => {
  await gateway.interrupt()
  await production.close()
  publicAddress.close()
  expect(await clear(dataDir), 'processes that were left').toEqual([])
})

const admin = (words: string) =>
  runShell(`npm run --silent admin -- ${words}`, {
    ...production.environment,
    MURIPO_DATA: dataDir,
    HOME: dataDir,
  })

async function approve(email: string): Promise<void> {
  const [, seen] = /--seen (\S+)/.exec(await admin(`merchants show ${email}`)) ?? []
  await admin(`merchants approve ${email} --seen ${seen} --reason "The documents are in order" --as Rudo`)
}

/** The path of the payer's page. */
const pathOf = ({ payment_url }: Payment): string => new URL(payment_url).pathname

async function openPage(browser: Browser, tokens: Tokens, width: number): Promise<Page> {
  const context = await browser.newContext({
    baseURL: gateway.url,
    viewport: { width, height: width === 375 ? 740 : 900 },
  })
  const page = await context.newPage()
  await storeTokens(page, tokens)
  return page
}

test('a new merchant sees the missing approval, then the approval and a suspension, and a payer sees the suspension', async ({
  browser,
}) => {
  test.slow()
  const account = await signUp(gateway.url)
  const tokens = await signIn(gateway.url, account, production.codeFor)
  const application = await createApplication(gateway.url, tokens)
  expect(application).toMatchObject({ applicationKey: null, testKey: expect.stringMatching(/^mk_test_/) })
  const page = await openPage(browser, tokens, 1440)
  const banner = page.getByRole('region', { name: 'Your account' })
  const tab = page.getByRole('tab', { name: 'Application Key' })
  const panel = page.getByRole('tabpanel')
  const applicationPath = `/app/applications/manage/${application._id}`
  const everyWidth = [1440, 1024, 768, 375]
  const checkAt = async (widths: readonly number[], name: string, expectContent: () => Promise<void>) => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: width === 375 ? 740 : 900 })
      await expectContent()
      await checkPage(page, `${name}-${width}`)
    }
  }

  await page.goto('/app')
  await expect(page.getByRole('complementary')).toContainText('Tariro MoyoLive')
  await expect(page.getByRole('region', { name: 'Test mode' })).toHaveCount(0)
  await checkAt(everyWidth, 'account-new', async () => {
    await expect(banner).toContainText('Your account is waiting for approval')
    await expect(banner).toContainText('Test keys work already')
    await expect(banner).toContainText(account.email)
  })
  await page.goto(applicationPath)
  await tab.click()
  await checkAt([1440, 375], 'key-before-approval', async () => {
    await expect(panel).toContainText('Your live key appears here once your account is approved')
    await expect(panel.locator('code')).toHaveText([/^mk_test_/])
    await expect(panel.getByRole('button', { name: 'Regenerate Key' })).toHaveCount(0)
  })

  expect(await admin('merchants list --status waiting')).toContain(account.email)
  await approve(account.email)
  await page.reload()
  await tab.click()
  await expect(panel.locator('code')).toHaveText([/^mk_live_/, /^mk_test_/])
  const [liveKey] = await panel.locator('code').allTextContents()
  await expect(banner).toHaveCount(0)
  const payment = await createPayment(gateway.url, liveKey ?? '')

  await admin(`applications stop ${application._id} --reason "It carries the name of a bank"`)
  await page.goto(applicationPath)
  await checkAt([1440, 375], 'application-stopped', async () => {
    await expect(page.getByText('The reason: It carries the name of a bank')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Activate' })).toHaveCount(0)
  })
  await admin(`applications resume ${application._id} --reason "The name is another"`)

  await admin(`merchants suspend ${account.email} --reason "Payers complain"`)
  await page.goto('/app/applications')
  await checkAt(everyWidth, 'account-suspended', () =>
    expect(banner).toContainText('The reason: Payers complain'),
  )
  await page.goto(pathOf(payment))
  await expect(title(page, 'This cannot be paid at the moment')).toBeVisible()
  await expect(page.getByRole('button')).toHaveCount(0)
  await checkCopy(browser, page, 'checkout-unavailable')
  await page.context().close()
})

test('[MANAGE-16] [MANAGE-19] an application has a test key, whose payments are marked as a test and offer every method', async ({
  browser,
}) => {
  const account = await signUp(gateway.url)
  await approve(account.email)
  const tokens = await signIn(gateway.url, account, production.codeFor)
  const application = await createApplication(gateway.url, tokens)
  expect(application.applicationKey).toMatch(/^mk_live_/)
  for (const width of [1440, 375]) {
    const page = await openPage(browser, tokens, width)
    await page.goto(`/app/applications/manage/${application._id}`)
    await page.getByRole('tab', { name: 'Application Key' }).click()
    const keys = page.getByRole('tabpanel').locator('code')
    await expect(keys).toHaveText([application.applicationKey, /^mk_test_/])
    await expect(page.getByRole('tabpanel')).toContainText('it moves no money')
    await expect(page.getByRole('tabpanel')).toContainText('The test key stays.')
    await checkPage(page, `key-live-${width}`)

    if (width === 375) {
      const key = (await keys.last().textContent()) ?? ''
      await page.goto(pathOf(await createPayment(gateway.url, key)))
      await expect(page.getByRole('radio')).toHaveCount(4)
      await expect(page.getByText('Test', { exact: true })).toBeVisible()
      await expect(page.getByText('A test: no real money moves.')).toBeVisible()
      await page.goto(pathOf(await createPayment(gateway.url, application.applicationKey)))
      // The address of this gateway's wallet does not exist, so the method may be unavailable.
      await expect(page.getByRole('radio', { name: 'EcoCash' })).toBeVisible()
      await expect(page.getByRole('radio')).toHaveCount(1)
      await expect(page.getByText('Test', { exact: true })).toHaveCount(0)
    }
    await page.context().close()
  }
})

test('the payer of a test payment pays by card and by code at the page of the gateway, without a script', async ({
  browser,
}) => {
  const account = await signUp(gateway.url)
  const tokens = await signIn(gateway.url, account, production.codeFor)
  const { testKey } = await createApplication(gateway.url, tokens)
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    javaScriptEnabled: false,
    viewport: { width: 375, height: 740 },
  })
  const page = await context.newPage()
  for (const [method, step] of [
    ['Visa/Mastercard', 'Continue to pay'],
    ['InnBucks', 'Open the InnBucks app'],
  ] as const) {
    const { id, payment_url } = await createPayment(gateway.url, testKey ?? '')
    await page.goto(payment_url)
    await page.getByRole('radio', { name: method }).check()
    await page.getByRole('button', { name: 'Pay USD 25.00' }).click()
    await page.getByRole('link', { name: step }).first().click()
    await expect(page.getByText('This is a test: no real money moves.')).toBeVisible()
    await checkCopy(browser, page, `simulated-${method === 'InnBucks' ? 'code' : 'card'}`)
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await expect(title(page, 'Payment completed')).toBeVisible()
    expect(page.url()).toContain(pathOf({ payment_url } as Payment))
    expect(await findPayment(gateway.url, testKey ?? '', id)).toMatchObject({ status: 'completed' })
  }
  await context.close()
})

test('too many requests for payer’s pages get a wait page, which reloads automatically', async ({
  browser,
}) => {
  const request = async () => (await fetch(`${gateway.url}/pay/nothing`, { method: 'HEAD' })).status
  const useUpLimit = async () => {
    const seen = new Set<number>()
    for (let count = 0; count < 20_000 && !seen.has(429); count += 50) {
      for (const status of await Promise.all(Array.from({ length: 50 }, request))) seen.add(status)
    }
    expect([...seen].filter((status) => status !== 404)).toEqual([429])
  }

  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 320, height: 640 },
  })
  const page = await context.newPage()
  let answer: Response | null = null
  // On a slow machine the limit's window of ten seconds may end before the page is opened.
  await expect(async () => {
    await useUpLimit()
    answer = await page.goto(`${gateway.url}/pay/nothing`)
    expect(answer?.status()).toBe(429)
  }).toPass()
  const headers = (answer as Response | null)?.headers()
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'retry-after': expect.stringMatching(/^([1-9]|10)$/),
  })
  await expect(title(page, 'Please wait a moment')).toBeVisible()
  await expect(page.getByText('this page opens by itself in a few seconds')).toBeVisible()
  expect(headers?.refresh).toBe(headers?.['retry-after'])
  await checkCopy(browser, page, 'checkout-wait')
  await context.close()
})

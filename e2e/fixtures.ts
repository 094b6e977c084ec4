import { setTimeout as sleep } from 'node:timers/promises'
import { type GatewayProcess, launch } from '@muripo/rig/gateway'
import { allMails, mailbox, type ReceivedMail } from '@muripo/rig/mailbox'
import {
  type Account,
  type Application,
  cancelPayment,
  createApplication,
  createPayment,
  type Payment,
  signIn,
  signUp,
  type Tokens,
} from '@muripo/rig/merchant'
import { test as base, expect, type Page, type Request } from '@playwright/test'
import { openTestMailServer, type TestMailServer } from './lib/mail-server.ts'
import { type MerchantSite, openMerchantSite } from './lib/merchant-site.ts'
import { type NetworkProxy, openNetworkProxy } from './lib/network-proxy.ts'
import { removeNewerFunctions } from './lib/older-browser.ts'
import { recordToasts } from './lib/page.ts'
import { becomePhoneWhenNarrow, isPhone, withPhones } from './lib/phones.ts'
import { clear, temporaryDataDir } from './lib/processes.ts'
import { collectDeviceSecrets, collectSecrets, logsOf, secrets } from './lib/secrets.ts'
import { gotoDespiteReload, hastenReloads } from './lib/self-reload.ts'
import { type Wallet, walletAt } from './lib/wallet.ts'

export interface Gateway {
  readonly url: string
  readonly simulatorUrl: string
  readonly dataDir: string
  /** The mails that the gateway has sent to an address, newest first; waits until there is one. */
  mailbox(to: string): Promise<ReceivedMail[]>
}

/** Errors and warnings in the consoles of a test's pages. The test fails when one is left at its end. */
export interface ConsoleErrors {
  /** Waits for an error that the test causes, and removes the errors of this kind. */
  expect(kind: RegExp): Promise<void>
  /** Ignores errors of this kind, which may occur at any time or never. */
  ignore(kind: RegExp): void
}

/** The browser's message about a response with this status. */
export const statusError = (status: number): RegExp => new RegExp(`with a status of ${status} `)

/** A merchant of one test, signed up and signed in through the API. */
export interface Merchant {
  readonly account: Account
  readonly tokens: Tokens
}

/** The merchant's first application, and payments made with its key. */
export interface Seller {
  readonly application: Application
  pay(payment?: Readonly<Record<string, unknown>>): Promise<Payment>
  cancel(payment: Payment): Promise<Payment>
}

interface TestFixtures {
  /** Records the secrets of the test, which no log of its gateway may contain. */
  readonly recordedSecrets: undefined
  readonly consoleErrors: ConsoleErrors
  /** Names the requests of a failed test that had no answer. */
  readonly openRequests: undefined
  /** Takes the functions from each page that the oldest supported browsers lack. */
  readonly olderBrowser: undefined
  readonly phones: undefined
  /** Lets pages without script reload after one second instead of ten, and leaves pages that reload themselves. */
  readonly selfReload: undefined
  /** Records the toasts of each page, for `expectToast`. */
  readonly toastRecords: undefined
  readonly merchant: Merchant
  readonly seller: Seller
  readonly merchantSite: MerchantSite
  readonly networkProxy: NetworkProxy
  /** Opens a page of the dashboard as the merchant. */
  readonly openDashboard: (path?: string) => Promise<void>
}

interface WorkerFixtures {
  /** Settings of the gateway. A file with other settings has a gateway of its own. */
  readonly settings: Readonly<Record<string, string>>
  readonly gateway: Gateway
  readonly wallet: Wallet
}

/** Waits for the simulator, which starts beside the gateway. A gateway in production has none. */
async function simulatorReady(url: string, nodeEnv: string | undefined): Promise<void> {
  if (nodeEnv === 'production') return
  const answers = async () => (await fetch(url).catch(() => null)) !== null
  while (!(await answers())) await sleep(25)
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  browser: [({ browser }, use) => use(withPhones(browser)), { scope: 'worker' }],

  settings: [{}, { option: true, scope: 'worker' }],

  gateway: [
    async ({ settings }, use) => {
      const dataDir = temporaryDataDir()
      const mailServer = await openTestMailServer(dataDir)
      const process = await launch({
        dataDir,
        // The cheapest password hash: each test signs a merchant up and in.
        environment: { LOG_LEVEL: 'trace', PASSWORD_MEMORY_MIB: '7', ...mailServer.environment, ...settings },
      })
      let hasStopped = false
      try {
        await process.ready()
        await simulatorReady(process.simulatorUrl, settings.NODE_ENV)
        await use({
          url: process.url,
          simulatorUrl: process.simulatorUrl,
          dataDir,
          mailbox: (to) => mailbox(process.url, to),
        })
        expectSentOnce(await allMails(process.url), mailServer)
        await stopInOrder(process)
        hasStopped = true
        expectNoSecretLogged(logsOf(dataDir, process.output), mailServer)
      } finally {
        await mailServer.close()
        const left = await clear(dataDir)
        // After an earlier failure the gateway still runs, and this would hide the failure.
        if (hasStopped) expect(left, 'processes that were left').toEqual([])
      }
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  recordedSecrets: [
    async ({ context }, use) => {
      collectSecrets(context)
      await use(undefined)
      await collectDeviceSecrets(context)
    },
    { auto: true },
  ],

  olderBrowser: [
    async ({ context }, use) => {
      await context.addInitScript(removeNewerFunctions)
      await use(undefined)
    },
    { auto: true },
  ],

  // A narrow window is a phone: a browser for phones lays a page out in another way than a narrow window.
  isMobile: ({ viewport }, use) => use(isPhone(viewport)),
  hasTouch: ({ viewport }, use) => use(isPhone(viewport)),
  phones: [
    async ({ context, isMobile }, use) => {
      if (!isMobile) context.on('page', becomePhoneWhenNarrow)
      await use(undefined)
    },
    { auto: true },
  ],

  selfReload: [
    async ({ context, javaScriptEnabled, gateway }, use) => {
      context.on('page', (page) => {
        page.goto = gotoDespiteReload(page)
        if (javaScriptEnabled === false) hastenReloads(page, gateway.url)
      })
      await use(undefined)
    },
    { auto: true },
  ],

  toastRecords: [
    async ({ context }, use) => {
      await recordToasts(context)
      await use(undefined)
    },
    { auto: true },
  ],

  wallet: [({ gateway }, use) => use(walletAt(gateway.simulatorUrl)), { scope: 'worker' }],

  baseURL: ({ gateway }, use) => use(gateway.url),

  consoleErrors: [
    async ({ context }, use) => {
      let errors: string[] = []
      const ignored: RegExp[] = []
      context.on('page', (page) => listen(page, (error) => errors.push(error)))
      await use({
        async expect(kind) {
          // A page shows an error before the browser reports it.
          await expect
            .poll(() => errors.some((error) => kind.test(error)), `console error like ${kind}`)
            .toBe(true)
          errors = errors.filter((error) => !kind.test(error))
        },
        ignore: (kind) => ignored.push(kind),
      })
      const left = errors.filter((error) => !ignored.some((kind) => kind.test(error)))
      expect(left, 'console errors of the pages').toEqual([])
    },
    { auto: true },
  ],

  openRequests: [
    async ({ context }, use, test) => {
      const open = new Set<string>()
      const nameOf = (request: Request) => `${request.method()} ${request.url()}`
      context.on('request', (request) => {
        // The stream of live changes stays open.
        if (!request.url().endsWith('/v1/live')) open.add(nameOf(request))
      })
      context.on('requestfinished', (request) => open.delete(nameOf(request)))
      context.on('requestfailed', (request) => open.delete(nameOf(request)))
      await use(undefined)
      if (test.status !== test.expectedStatus)
        expect([...open], 'requests of the failed test without an answer').toEqual([])
    },
    { auto: true },
  ],

  merchant: async ({ gateway }, use) => {
    const account = await signUp(gateway.url)
    await use({ account, tokens: await signIn(gateway.url, account) })
  },

  seller: async ({ gateway, merchant }, use) => {
    const application = await createApplication(gateway.url, merchant.tokens)
    await use({
      application,
      pay: (payment) => createPayment(gateway.url, application.applicationKey, payment),
      cancel: ({ id }) => cancelPayment(gateway.url, application.applicationKey, id),
    })
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function needs from its parameter
  merchantSite: async ({}, use) => {
    const merchantSite = await openMerchantSite()
    await use(merchantSite)
    await merchantSite.close()
  },

  networkProxy: async ({ gateway, consoleErrors }, use) => {
    const networkProxy = await openNetworkProxy(gateway.url)
    // A lost connection ends the stream of updates, which reconnects automatically.
    consoleErrors.ignore(/net::ERR_\w+ \(.*\/v1\/live\)/)
    await use(networkProxy)
    await networkProxy.close()
  },

  openDashboard: ({ page, merchant }, use) =>
    use(async (path = '/app') => {
      await storeTokens(page, merchant.tokens)
      await page.goto(path)
    }),
})

/** Stores tokens like a sign-in. */
export async function storeTokens(page: Page, tokens: Tokens): Promise<void> {
  await page.goto('/favicon.svg')
  await page.evaluate((stored) => {
    for (const [name, token] of Object.entries(stored)) localStorage.setItem(name, token)
  }, tokens)
}

function listen(page: Page, report: (error: string) => void): void {
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) {
      const { url } = message.location()
      report(`${page.url()} ${message.type()}: ${message.text()} (${url})`)
    }
  })
  page.on('pageerror', (error) => report(`${page.url()} uncaught: ${error.message}`))
}

/** Every email in the gateway's mailbox was sent once, over TLS, with the password. */
function expectSentOnce(copies: readonly ReceivedMail[], { mails, sessions }: TestMailServer): void {
  const nameOf = ({ to, text }: { to: string | readonly string[]; text: string }) =>
    `${to}: ${/\b\d{6}\b/.exec(text)?.[0] ?? ''}`
  const sent = Map.groupBy(mails, nameOf)
  const wrong = copies.map(nameOf).filter((mail) => /\d{6}$/.test(mail) && sent.get(mail)?.length !== 1)
  expect(wrong, 'emails that were not sent exactly once').toEqual([])
  expect(sessions.filter(({ secure, user }) => !secure || user === null)).toEqual([])
}

function expectNoSecretLogged(log: string, { mails, password }: TestMailServer): void {
  for (const { text } of mails) {
    const code = /\b\d{6}\b/.exec(text)?.[0]
    if (code !== undefined) secrets.add('code', code)
  }
  secrets.add('password of the mail server', password)
  if (mails.length > 0) expect(log, 'the log contains the sent emails').toContain('send-mail')
  expect(secrets.linesIn(log), 'lines of the logs with a secret').toEqual([])
}

async function stopInOrder(process: GatewayProcess): Promise<void> {
  expect(await process.interrupt(), 'exit code after Ctrl-C').toBe(0)
  expect(process.output.stderr, 'stderr of the gateway').toBe('')
}

export { expect }

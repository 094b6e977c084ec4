import { setTimeout as sleep } from 'node:timers/promises'
import { test as base, expect, type Page } from '@playwright/test'
import { clear, type GatewayProcess, launch, temporaryDataDir } from './lib/gateway-process.ts'
import { type Line, openLine } from './lib/line.ts'
import { allMails, mailbox, type ReceivedMail } from './lib/mailbox.ts'
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
} from './lib/merchant.ts'
import { openPostOffice, type PostOffice } from './lib/post-office.ts'
import { gatherFrom, gatherStored, logsOf, secrets } from './lib/secrets.ts'
import { openShop, type Shop } from './lib/shop.ts'
import { type Wallet, walletAt } from './lib/wallet.ts'

export interface Gateway {
  readonly url: string
  readonly simulatorUrl: string
  readonly dataDir: string
  /** The mails that the gateway has sent to an address, newest first; waits until there is one. */
  mailbox(to: string): Promise<ReceivedMail[]>
}

/** Errors in the console of pages. A test ends without any. */
export interface Complaints {
  /** Takes away what the test has provoked; fails when there was nothing of the kind. */
  expect(kind: RegExp): Promise<void>
  /** Leaves out what may come or not, and at any time. */
  tolerate(kind: RegExp): void
}

/** The browser's own word for an answer with this status. */
export const statusComplaint = (status: number): RegExp => new RegExp(`with a status of ${status} `)

/** A merchant of this test only, signed up and signed in by calls. */
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
  /** Secrets of the run, which are searched in the logs at the end. */
  readonly confided: undefined
  readonly complaints: Complaints
  /** Pages without script, on the direct connection, reload after one second instead of ten. */
  readonly reloading: undefined
  readonly merchant: Merchant
  readonly seller: Seller
  readonly shop: Shop
  readonly line: Line
  /** Opens a page of the dashboard as the merchant. */
  readonly openDashboard: (path?: string) => Promise<void>
}

interface WorkerFixtures {
  /** Settings of the gateway for a file of tests, which then has a gateway of its own. */
  readonly settings: Readonly<Record<string, string>>
  readonly gateway: Gateway
  readonly wallet: Wallet
}

/** The simulator starts beside the gateway, and is later when the machine is busy. A gateway in production has none. */
async function simulatorReady(url: string, nodeEnv: string | undefined): Promise<void> {
  if (nodeEnv === 'production') return
  const answers = async () => (await fetch(url).catch(() => null)) !== null
  while (!(await answers())) await sleep(25)
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  settings: [{}, { option: true, scope: 'worker' }],

  gateway: [
    async ({ settings }, use) => {
      const dataDir = temporaryDataDir()
      const postOffice = await openPostOffice(dataDir)
      const process = await launch({
        dataDir,
        // The cheapest password hash: each test signs a merchant up and in.
        environment: { LOG_LEVEL: 'trace', PASSWORD_MEMORY_MIB: '7', ...postOffice.environment, ...settings },
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
        expectSentOnce(await allMails(process.url), postOffice)
        await stopInOrder(process)
        hasStopped = true
        expectNoSecretLogged(logsOf(dataDir, process.output), postOffice)
      } finally {
        await postOffice.close()
        const left = await clear(dataDir)
        // After an earlier failure the gateway still runs, and this would hide the failure.
        if (hasStopped) expect(left, 'processes that were left').toEqual([])
      }
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  confided: [
    async ({ context }, use) => {
      gatherFrom(context)
      await use(undefined)
      await gatherStored(context)
    },
    { auto: true },
  ],

  reloading: [
    async ({ context, javaScriptEnabled, gateway }, use) => {
      if (javaScriptEnabled === false)
        context.on('page', (page) => {
          page.on('domcontentloaded', () => {
            if (portOf(page.url()) === portOf(gateway.url)) shortenReload(page).catch(() => undefined)
          })
          page.goto = gotoDespiteReload(page)
        })
      await use(undefined)
    },
    { auto: true },
  ],

  wallet: [({ gateway }, use) => use(walletAt(gateway.simulatorUrl)), { scope: 'worker' }],

  baseURL: ({ gateway }, use) => use(gateway.url),

  complaints: [
    async ({ context }, use) => {
      let complaints: string[] = []
      const tolerated: RegExp[] = []
      context.on('page', (page) => listen(page, (complaint) => complaints.push(complaint)))
      await use({
        async expect(kind) {
          // A page shows an error before the browser reports it.
          await expect
            .poll(() => complaints.some((each) => kind.test(each)), `complaint like ${kind}`)
            .toBe(true)
          complaints = complaints.filter((complaint) => !kind.test(complaint))
        },
        tolerate: (kind) => tolerated.push(kind),
      })
      const left = complaints.filter((complaint) => !tolerated.some((kind) => kind.test(complaint)))
      expect(left, 'complaints of the pages').toEqual([])
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
  shop: async ({}, use) => {
    const shop = await openShop()
    await use(shop)
    await shop.close()
  },

  line: async ({ gateway, complaints }, use) => {
    const line = await openLine(gateway.url)
    // A lost connection ends the stream of updates, which reconnects automatically.
    complaints.tolerate(/net::ERR_\w+ \(.*\/v1\/live\)/)
    await use(line)
    await line.close()
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

const portOf = (url: string): string => (URL.canParse(url) ? new URL(url).port : '')

/** A browser reschedules the reload of a page when the delay in its `meta` element changes. */
const shortenReload = (page: Page): Promise<void> =>
  page.evaluate(() => {
    document.querySelector('meta[http-equiv=refresh][content="10"]')?.setAttribute('content', '1')
  })

/** The page's own reload may end a navigation that has just begun. The navigation then begins again. */
function gotoDespiteReload(page: Page): Page['goto'] {
  const goto = page.goto.bind(page)
  return (url, options) =>
    goto(url, options).catch((error: Error) => {
      if (!error.message.includes('net::ERR_ABORTED')) throw error
      return goto(url, options)
    })
}

function listen(page: Page, complain: (complaint: string) => void): void {
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) {
      const { url } = message.location()
      complain(`${page.url()} ${message.type()}: ${message.text()} (${url})`)
    }
  })
  page.on('pageerror', (error) => complain(`${page.url()} uncaught: ${error.message}`))
}

/** Every email in the gateway's mailbox was sent once, over TLS, with the password. */
function expectSentOnce(copies: readonly ReceivedMail[], { mails, sessions }: PostOffice): void {
  const nameOf = ({ to, text }: { to: string | readonly string[]; text: string }) =>
    `${to}: ${/\b\d{6}\b/.exec(text)?.[0] ?? ''}`
  const sent = Map.groupBy(mails, nameOf)
  const wrong = copies.map(nameOf).filter((mail) => /\d{6}$/.test(mail) && sent.get(mail)?.length !== 1)
  expect(wrong, 'mails that did not go out, or more than once').toEqual([])
  expect(sessions.filter(({ secure, user }) => !secure || user === null)).toEqual([])
}

function expectNoSecretLogged(log: string, { mails, password }: PostOffice): void {
  for (const { text } of mails) {
    const code = /\b\d{6}\b/.exec(text)?.[0]
    if (code !== undefined) secrets.add('code', code)
  }
  secrets.add('password of the mail server', password)
  if (mails.length > 0) expect(log, 'the log tells of the work that was done').toContain('send-mail')
  expect(secrets.foundIn(log), 'secrets in the logs').toEqual([])
}

async function stopInOrder(process: GatewayProcess): Promise<void> {
  expect(await process.interrupt(), 'exit code after Ctrl-C').toBe(0)
  expect(process.output.stderr, 'complaints of the gateway').toBe('')
}

export { expect }

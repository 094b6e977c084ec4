import { test as base, expect, type Page } from '@playwright/test'
import { clear, type GatewayProcess, launch, temporaryDataDir } from './lib/gateway-process.ts'
import { mailbox, type ReceivedMail } from './lib/mailbox.ts'

export interface Gateway {
  readonly url: string
  readonly simulatorUrl: string
  /** The mails that the gateway has sent to an address, newest first; waits until there is one. */
  mailbox(to: string): Promise<ReceivedMail[]>
}

interface TestFixtures {
  /** What pages complain about; a test may take away what it has provoked. */
  readonly complaints: string[]
}

interface WorkerFixtures {
  readonly gateway: Gateway
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  gateway: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function needs from its parameter
    async ({}, use) => {
      const dataDir = temporaryDataDir()
      const process = await launch({ dataDir })
      try {
        await process.ready()
        await use({
          url: process.url,
          simulatorUrl: process.simulatorUrl,
          mailbox: (to) => mailbox(process.url, to),
        })
        await stopInOrder(process)
      } finally {
        expect(await clear(dataDir), 'processes that were left').toEqual([])
      }
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  baseURL: ({ gateway }, use) => use(gateway.url),

  complaints: [
    async ({ context }, use) => {
      const complaints: string[] = []
      context.on('page', (page) => listen(page, complaints))
      await use(complaints)
      expect(complaints, 'complaints of the pages').toEqual([])
    },
    { auto: true },
  ],
})

function listen(page: Page, complaints: string[]): void {
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) {
      complaints.push(`${page.url()} ${message.type()}: ${message.text()}`)
    }
  })
  page.on('pageerror', (error) => complaints.push(`${page.url()} uncaught: ${error.message}`))
}

async function stopInOrder(process: GatewayProcess): Promise<void> {
  expect(await process.interrupt(), 'exit code after Ctrl-C').toBe(0)
  expect(process.output.stderr, 'complaints of the gateway').toBe('')
}

export { expect }

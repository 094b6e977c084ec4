import { setTimeout as sleep } from 'node:timers/promises'
import { AccountId } from '@muripo/contract/ids'
import { money } from '@muripo/contract/money'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Simulator, startSimulator } from '../../../../test/simulator.ts'
import { type TestCtx, testCtx } from '../../../../test/test-ctx.ts'
import type { Connector, ProviderState } from '../connector.ts'
import { configFor } from '../innbucks/fixtures.ts'
import { innbucksConnector } from '../innbucks/index.ts'
import { createProviderCalls } from './provider-calls.ts'

const CALLS_PER_MINUTE = 40
/** A second of the database's clock in milliseconds of the test. The provider's minute is longer than the test. */
const SECOND_MS = 100
const SECONDS = 55
const PROCESSES = 2
/** The concurrent look-ups of each process. */
const LOOKUPS = 5

let ctx: TestCtx
let simulator: Simulator
beforeAll(async () => {
  ctx = await testCtx()
  simulator = await startSimulator({ SIMULATOR_SPEED: '1' })
})
afterAll(async () => {
  await simulator.stop()
  await ctx.close()
})

const nowMs = () => ctx.clock.now().getTime()
const timer = { now: nowMs, sleep: (ms: number) => sleep((ms * SECOND_MS) / 1000) }
const accountId = AccountId.parse(`mer_${'0'.repeat(26)}`)

/** A process with tokens and a bucket of its own reading. */
function processOf() {
  const limits = new Map([['innbucks', CALLS_PER_MINUTE]])
  const calls = createProviderCalls({ db: ctx.db, background: ctx.background, log: ctx.log, timer }, limits)
  const config = configFor(`${simulator.url}/innbucks`)
  return { calls, connector: calls.guard(innbucksConnector(config, ctx.clock)) }
}

async function issue(connector: Connector, key: string): Promise<ProviderState> {
  const reply = await connector.charge({
    accountId,
    key,
    amount: money(1250n, 'USD'),
    method: 'innbucks',
    msisdn: null,
    email: null,
    description: 'Order 1',
    shopName: 'Shop',
    callbackUrl: 'http://127.0.0.1:9/hooks/provider/token',
    returnUrl: 'http://127.0.0.1:9/pay/token/return',
  })
  return reply.state
}

test('two processes that log in and repeat look-ups send no more requests than their provider allows', async () => {
  await simulator.control('/control/rate-limits', { provider: 'innbucks', callsPerMinute: CALLS_PER_MINUTE })
  await simulator.control('/control/innbucks/next', {
    times: PROCESSES,
    behaviour: { neverResolves: true, inquiryReply: 'html', inquiryTimes: 1000 },
  })
  const processes = Array.from({ length: PROCESSES }, processOf)
  const clock = new AbortController()
  async function lookUpRepeatedly({ connector }: (typeof processes)[number], nth: number): Promise<void> {
    const key = `${nth}`.padStart(26, '0')
    const state = await issue(connector, key)
    await Promise.all(
      Array.from({ length: LOOKUPS }, async () => {
        while (!clock.signal.aborted)
          await connector.lookup({ accountId, key, msisdn: null, state }).catch(() => undefined)
      }),
    )
  }
  let isRunning = true
  const all = Promise.all(processes.map(lookUpRepeatedly)).finally(() => {
    isRunning = false
  })
  for (let seconds = 0; seconds < SECONDS; seconds += 1) {
    await sleep(SECOND_MS)
    ctx.clock.advance(1000)
  }
  clock.abort()
  const totals = processes.map(({ calls }) => calls.totals().get('innbucks'))
  expect(totals.map((figures) => figures?.busy)).toEqual(totals.map(() => 0))
  const made = totals.reduce((sum, figures) => sum + (figures?.failed ?? 0), 0)
  expect(made).toBeGreaterThan(CALLS_PER_MINUTE / 5)
  await simulator.control('/control/rate-limits', { provider: 'innbucks', callsPerMinute: null })
  while (isRunning) {
    ctx.clock.advance(60_000)
    await sleep(SECOND_MS)
  }
  await all
})

import { setTimeout as sleep } from 'node:timers/promises'
import { AccountId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type TestCtx, testCtx } from '../../../../test/test-ctx.ts'
import { pending, type ScriptedProvider, scriptedProvider } from '../../payments/factory.ts'
import { type Connector, ProviderError } from '../connector.ts'
import {
  CALL_LEASE_MS,
  CALL_MAX_MS,
  CALLBACK_LEASE_MS,
  CALLBACK_TURN_WAIT_MS,
  TURN_WAIT_MS,
} from './deadlines.ts'
import { createProviderCalls, type ProviderCalls } from './provider-calls.ts'
import { countRequest, remainingMs, withRequests } from './requests-of-call.ts'

/** A bucket of ten calls at once: four of charges, and six of the others. Nine tenths of a hundred flow in within a minute. */
const CALLS_PER_MINUTE = 100
const CHARGES_AT_ONCE = 4
const MINUTE_MS = 60_000

let ctx: TestCtx
let provider: ScriptedProvider
let id = 0

beforeAll(async () => {
  ctx = await testCtx()
})
afterAll(() => ctx.close())
beforeEach(() => {
  provider = scriptedProvider()
  id += 1
})

const nowMs = () => ctx.clock.now().getTime()

/** A process whose calls wait until the test lets its clock go on. */
function processOf(): { calls: ProviderCalls; connector: Connector } {
  const timer = { now: nowMs, sleep: () => sleep(1), limit: () => () => {} }
  const calls = createProviderCalls(
    { db: ctx.db, background: ctx.background, log: ctx.log, timer },
    new Map([[`shared${id}`, CALLS_PER_MINUTE]]),
  )
  return { calls, connector: calls.guard({ ...provider.connector, id: `shared${id}` }) }
}

const merchant = (nth: number) => AccountId.parse(`mer_${String(nth).padStart(26, '0')}`)
const HOSTILE = merchant(1)
const HONEST = merchant(2)

const chargeOf = (accountId: AccountId, key: string, network: string) =>
  ({ accountId, key, network }) as Parameters<Connector['charge']>[0]

/** Sends charges that use the budget up, and returns when the first ones have been made. */
async function flood(connector: Connector, count = 80): Promise<Promise<unknown>[]> {
  const charges = Array.from({ length: count }, (_, nth) =>
    connector.charge(chargeOf(HOSTILE, `flood${nth}`, `198.51.${nth % 2}.0/24`)).catch(() => undefined),
  )
  await expect.poll(() => provider.charges).toHaveLength(CHARGES_AT_ONCE)
  return charges
}

/** Lets the clock go on until the calls have ended. */
async function drain(calls: readonly Promise<unknown>[]): Promise<void> {
  let isOver = false
  const all = Promise.all(calls).then(() => {
    isOver = true
  })
  while (!isOver) {
    ctx.clock.advance(200)
    await sleep(5)
  }
  await all
}

test('charges that use the budget up leave the look-ups of callbacks and refunds theirs', async () => {
  const { connector } = processOf()
  const flooding = await flood(connector)
  const lookup = { accountId: HONEST, key: 'paid', msisdn: null, state: null, cause: 'callback' as const }
  const refund = { accountId: HONEST, key: 'owed' } as Parameters<NonNullable<Connector['refundCharge']>>[0]
  // The clock stands still: no call flows into the bucket.
  await Promise.all([connector.lookup(lookup), connector.refundCharge?.(refund)])
  expect(provider.charges).toHaveLength(CHARGES_AT_ONCE)
  await drain(flooding)
})

test('a charge of another merchant, and one of another network, have their turn among the waiting charges', async () => {
  const { connector } = processOf()
  const flooding = await flood(connector)
  const others = [
    connector.charge(chargeOf(HONEST, 'other merchant', '192.0.2.0/24')),
    connector.charge(chargeOf(HOSTILE, 'other network', '203.0.113.0/24')),
  ]
  await drain([...flooding, ...others])
  const keys = provider.charges.map(({ key }) => key)
  // Two merchants, and three networks of the hostile one.
  expect(keys.indexOf('other merchant')).toBeLessThanOrEqual(CHARGES_AT_ONCE + 2)
  expect(keys.indexOf('other network')).toBeLessThanOrEqual(CHARGES_AT_ONCE + 2 * 3)
})

test('look-ups that payers cause leave the look-ups of callbacks theirs', async () => {
  const { connector } = processOf()
  const lookup = { accountId: HOSTILE, msisdn: null, state: null }
  const flooding = Array.from({ length: 40 }, (_, nth) =>
    connector.lookup({ ...lookup, key: `page${nth}`, cause: 'payer' }),
  )
  await expect.poll(() => provider.lookups.length).toBeGreaterThan(1)
  await connector.lookup({ ...lookup, accountId: HONEST, key: 'paid', cause: 'callback' })
  expect(provider.lookups.findIndex(({ key }) => key === 'paid')).toBeLessThan(7)
  await drain(flooding)
})

test('a clock of the database that steps back stops neither the calls nor the scheduled look-ups', async () => {
  const { calls, connector } = processOf()
  ctx.clock.advance(11 * MINUTE_MS)
  const flooding = await flood(connector)
  await drain(flooding)
  ctx.clock.advance(MINUTE_MS)
  provider.charge = async () => {
    throw new ProviderError('unavailable', '429', { providerCode: '429', retryAfterMs: 5 * MINUTE_MS })
  }
  await connector.charge(chargeOf(HONEST, 'busy', 'n')).catch(() => undefined)
  provider.charge = async () => pending()
  ctx.clock.advance(-11 * MINUTE_MS)
  const name = `shared${id}`
  expect(calls.room()).toEqual({ [name]: 0 })
  const next = connector.charge(chargeOf(HONEST, 'after', 'n'))
  // The row is repaired by the database's clock.
  const rowNow = async () => {
    const { rows } = await sql<{ filled_at: Date; paused_until: Date }>`
      select filled_at, paused_until from provider_budgets where provider = ${name}`.execute(ctx.db.kysely)
    return rows[0]
  }
  await expect.poll(async () => (await rowNow())?.filled_at.getTime()).toBeLessThanOrEqual(nowMs())
  expect((await rowNow())?.paused_until.getTime()).toBeLessThanOrEqual(nowMs() + 5 * MINUTE_MS)
  ctx.clock.advance(5 * MINUTE_MS + 1000)
  await next
  expect(provider.charges.at(-1)?.key).toBe('after')
  expect(calls.room()[name]).toBeGreaterThan(0)
})

test('a room that was read as zero is read again, without another call', async () => {
  const { calls, connector } = processOf()
  const name = `shared${id}`
  await connector.charge(chargeOf(HONEST, 'first', 'n'))
  await sql`
    update provider_budgets set level = 0, charges = 0, filled_at = ${new Date(nowMs() + 60 * MINUTE_MS)}
    where provider = ${name}`.execute(ctx.db.kysely)
  ctx.clock.advance(6000)
  await expect.poll(() => calls.room()).toEqual({ [name]: 0 })
  ctx.clock.advance(6000)
  await expect.poll(() => calls.room()[name]).toBeGreaterThan(0)
})

test('a budget for which calls wait is logged, and counted for the metric', async () => {
  const { calls, connector } = processOf()
  const warned = vi.spyOn(ctx.log, 'warn')
  await drain(await flood(connector))
  expect(warned.mock.calls.map(([fields]) => fields)).toContainEqual(
    expect.objectContaining({
      provider: `shared${id}`,
      waiting: expect.objectContaining({ confirmation: 0 }),
    }),
  )
  // 76 charges at 1.5 a second.
  expect(calls.waitedMs().get(`shared${id}`)).toBeGreaterThan(40_000)
})

test('a charge whose lease ends while it waits for its turn is not sent', async () => {
  const { connector } = processOf()
  const flooding = await flood(connector)
  let isLate = false
  const sent = vi.fn<() => void>()
  provider.charge = async () => {
    await countRequest()
    sent()
    return pending()
  }
  const beforeSending = () => {
    if (isLate) throw new ProviderError('unavailable', 'too late', { neverSent: true })
  }
  const late = connector.charge({ ...chargeOf(HONEST, 'late', 'n'), beforeSending })
  const refused = expect(late).rejects.toThrow('too late')
  isLate = true
  await drain([...flooding, refused])
  expect(sent).toHaveBeenCalledTimes(80 - CHARGES_AT_ONCE)
})

test('each lease is longer than the wait for a turn and the longest call', async () => {
  expect(CALL_LEASE_MS).toBeGreaterThan(TURN_WAIT_MS + CALL_MAX_MS)
  expect(CALLBACK_LEASE_MS).toBeGreaterThan(CALLBACK_TURN_WAIT_MS + CALL_MAX_MS)
  const waits: number[] = []
  const enter = async (mostMs: number) => void waits.push(mostMs)
  // A call with several requests has one time, which the waits of its further requests use too.
  await withRequests(CALL_MAX_MS, { enter }, async () => {
    await countRequest()
    expect(remainingMs()).toBeLessThanOrEqual(CALL_MAX_MS)
    await countRequest()
  })
  expect(waits[0]).toBeLessThanOrEqual(CALL_MAX_MS)
  expect(remainingMs()).toBe(Number.POSITIVE_INFINITY)
})

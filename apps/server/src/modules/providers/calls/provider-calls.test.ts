import { setTimeout as sleep } from 'node:timers/promises'
import { AccountId } from '@muripo/contract/ids'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expositionProblems } from '../../../../test/exposition.ts'
import { seriesIn } from '../../../../test/measured-gateway.ts'
import { type TestCtx, testCtx } from '../../../../test/test-ctx.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import { paid, pending, type ScriptedProvider, scriptedProvider } from '../../payments/factory.ts'
import { type Connector, ProviderError } from '../connector.ts'
import { CIRCUIT_OPEN } from '../http-client.ts'
import { providerMetrics } from '../metrics.ts'
import { latencyAt } from './figures.ts'
import { createProviderCalls, type ProviderCalls } from './provider-calls.ts'
import { recentFigures } from './store-figures.ts'

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

const named = (): Connector => ({ ...provider.connector, id: `provider${id}` })
const processWith = (limit: number | null): ProviderCalls =>
  createProviderCalls(
    { db: ctx.db, background: ctx.background, log: ctx.log },
    new Map([[named().id, limit]]),
  )
const accountId = AccountId.parse(`mer_${'0'.repeat(26)}`)
const charge = { accountId } as Parameters<Connector['charge']>[0]
const lookup = { accountId, key: 'k', msisdn: null, state: null }

test('two processes share the calls of a provider, and charges have a part of their own', async () => {
  const [first, second] = [processWith(100), processWith(100)].map((calls) => calls.guard(named()))
  const looks = [first, second].flatMap((each) =>
    Array.from({ length: 5 }, () => each?.lookup(lookup).catch(() => undefined)),
  )
  // Ten at once: four are left to charges, and two to the look-ups of callbacks.
  await expect.poll(() => provider.lookups).toHaveLength(4)
  await Promise.all([first?.charge(charge), second?.charge(charge)])
  expect(provider.charges).toHaveLength(2)
  expect(provider.lookups).toHaveLength(4)
  ctx.clock.advance(10_000)
  await expect.poll(() => provider.lookups).toHaveLength(8)
  ctx.clock.advance(10_000)
  await Promise.all(looks)
  expect(provider.lookups).toHaveLength(10)
})

test('the look-up of a callback comes before scheduled ones', async () => {
  const guarded = processWith(100).guard(named())
  const scheduled = Array.from({ length: 8 }, () => guarded.lookup(lookup).catch(() => undefined))
  await expect.poll(() => provider.lookups).toHaveLength(4)
  await guarded.lookup({ ...lookup, key: 'told', cause: 'callback' })
  expect(provider.lookups.at(4)?.key).toBe('told')
  ctx.clock.advance(10_000)
  await Promise.all(scheduled)
})

test('a reply about too many calls stops those of all processes, for the requested time', async () => {
  const [first, second] = [processWith(100), processWith(100)].map((calls) => calls.guard(named()))
  provider.charge = async () => {
    throw new ProviderError('unavailable', '429', { providerCode: '429', retryAfterMs: 30_000 })
  }
  await expect(first?.charge(charge)).rejects.toMatchObject({ retryAfterMs: 30_000 })
  provider.charge = async () => pending()
  const waits = second?.charge(charge)
  await sleep(300)
  expect(provider.charges).toHaveLength(1)
  ctx.clock.advance(30_001)
  await waits
  expect(provider.charges).toHaveLength(2)
})

test('a provider without a limit gets every call, and the limit of its documents unless the deployment sets one', async () => {
  const limited = { ...named(), callsPerMinute: 60 }
  expect(processWith(null).room()).toEqual({})
  const calls = processWith(null)
  const guarded = calls.guard(limited)
  await Promise.all(Array.from({ length: 50 }, () => guarded.lookup(lookup)))
  expect(provider.lookups).toHaveLength(50)
  expect(calls.room()).toEqual({})
  const byDocuments = createProviderCalls({ db: ctx.db, background: ctx.background, log: ctx.log }, new Map())
  byDocuments.guard(limited)
  expect(byDocuments.room()).toEqual({ [limited.id]: 2 })
})

describe('the figures of calls', () => {
  test('are one record of each provider, by minute', async () => {
    const processes = [processWith(null), processWith(null)]
    for (const calls of processes) {
      const guarded = calls.guard(named())
      provider.charge = async ({ amount }) => paid(amount)
      await guarded.charge(charge)
      provider.charge = async () => Promise.reject(new ProviderError('declined', 'no'))
      await guarded.charge(charge).catch(() => undefined)
      provider.lookup = async () => Promise.reject(new ProviderError('unknown', 'no answer'))
      await guarded.lookup(lookup).catch(() => undefined)
      await calls.exchange()
    }
    const seen = (await recentFigures(ctx.db, 5)).get(named().id)
    expect(seen).toMatchObject({ calls: 6, completed: 2, declined: 2, failed: 2, busy: 0, blocked: 0 })
    expect(seen && latencyAt(seen, 0.5)).toBe(100)
    const totals = processes[0]?.totals().get(named().id)
    expect(totals).toMatchObject({ calls: 3 })
    expect(totals?.durationMs).toBeGreaterThan(0)
    const metrics = createMetrics(ctx.log)
    for (const figures of processes[0] ? providerMetrics(processes[0], ctx.background) : [])
      metrics.add(figures)
    const text = await metrics.text()
    expect(expositionProblems(text)).toEqual([])
    const labels = { provider: named().id }
    expect(seriesIn(text)).toContainEqual({
      name: 'muripo_provider_call_duration_seconds_count',
      labels,
      value: 3,
    })
  })

  test('are written once, although those of another provider cannot be written', async () => {
    const calls = processWith(null)
    await calls.guard(named()).lookup(lookup)
    await calls.guard({ ...named(), id: 'no text of PostgreSQL: \0' }).lookup(lookup)
    for (let round = 0; round < 2; round += 1) await expect(calls.exchange()).rejects.toThrow('0x00')
    expect((await recentFigures(ctx.db, 5)).get(named().id)).toMatchObject({ calls: 1 })
  })

  test('report that a provider is degraded or down, in every process', async () => {
    const [first, second] = [processWith(null), processWith(null)]
    const [guarded, other] = [first.guard(named()), second.guard(named())]
    provider.lookup = async () => Promise.reject(new ProviderError('unknown', 'no answer'))
    for (let n = 0; n < 5; n += 1) await guarded.lookup(lookup).catch(() => undefined)
    await first.exchange()
    await second.exchange()
    expect([await guarded.health?.(), await other.health?.()]).toEqual(['degraded', 'degraded'])
    provider.lookup = async () =>
      Promise.reject(
        new ProviderError('unavailable', 'open', { providerCode: CIRCUIT_OPEN, retryAfterMs: 1 }),
      )
    await guarded.lookup(lookup).catch(() => undefined)
    await first.exchange()
    await second.exchange()
    expect(await other.health?.()).toBe('down')
    ctx.clock.advance(5 * 60_000)
    await second.exchange()
    expect(await other.health?.()).toBe('operational')
  })
})

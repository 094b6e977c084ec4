import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { withoutAdvance } from '../../../../test/controlled-timeouts.ts'
import { type TestCtx, testCtx } from '../../../../test/test-ctx.ts'
import { operatorActor } from '../../../platform/audit/actor.ts'
import { POOL_SIZES } from '../../../platform/db/pools.ts'
import { createHeartbeat, type Heartbeat } from '../../../platform/jobs/heartbeat.ts'
import { scriptedProvider } from '../../payments/factory.ts'
import type { Connector, ProviderHealth } from '../../providers/index.ts'
import { registryOf } from '../../providers/registry.ts'
import { makeSiteApp } from '../factory.ts'
import { openIncident, updateIncident } from './announce-incident.ts'

describe('GET /v1/status', () => {
  let ctx: TestCtx
  let app: FastifyInstance
  let heartbeat: Heartbeat
  let beat: () => void
  let lookups: number
  let health: () => Promise<ProviderHealth>

  beforeEach(async () => {
    // The time limits of the checks expire only when a test advances the timers.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    ctx = await testCtx()
    heartbeat = createHeartbeat(ctx.clock)
    beat = heartbeat.watch('worker', 500)
    lookups = 0
    health = async () => 'operational'
    const connector: Connector = {
      ...scriptedProvider().connector,
      name: 'Scripted Pay',
      health: () => {
        lookups += 1
        return health()
      },
    }
    const silent: Connector = { ...scriptedProvider().connector, id: 'silent' }
    app = makeSiteApp(ctx, registryOf([connector, silent]), heartbeat)
  })
  afterEach(async () => {
    vi.useRealTimers()
    await app.close()
    await ctx.close()
  })

  async function read() {
    const response = await app.inject({ url: '/v1/status' })
    expect(response.statusCode).toBe(200)
    const { status, components, incidents } = response.json()
    const states = Object.fromEntries(
      components.map((each: { id: string; status: string }) => [each.id, each.status]),
    )
    return { status, states, components, incidents }
  }

  test('lists the API, the worker, the database and each provider with a health check', async () => {
    const checkedAt = '2026-11-20T09:30:00.000Z'
    const { status, components } = await read()
    expect(status).toBe('operational')
    expect(components).toEqual([
      { id: 'api', name: 'API', status: 'operational', checkedAt },
      { id: 'worker', name: 'Worker', status: 'operational', checkedAt },
      { id: 'database', name: 'Database', status: 'operational', checkedAt },
      { id: 'scripted', name: 'Scripted Pay', status: 'operational', checkedAt },
    ])
  })

  test('shows the open incidents first, then those of the last 14 days, and the last known ones without the database', async () => {
    const rudo = operatorActor('rudo', 'rudo@till')
    const past = await openIncident(ctx, rudo, 'Slow codes', 'Codes arrive late.')
    ctx.clock.advance(60_000)
    await updateIncident(ctx, rudo, past, 'resolved', 'The mail server is back.')
    ctx.clock.advance(13 * 86_400_000)
    const open = await openIncident(ctx, rudo, 'EcoCash', 'Prompts do not arrive.')
    await updateIncident(ctx, rudo, open, 'identified', 'EcoCash is repairing a line.')
    const { incidents } = await read()
    expect(incidents).toEqual([
      {
        id: open,
        title: 'EcoCash',
        openedAt: '2026-12-03T09:31:00.000Z',
        resolvedAt: null,
        updates: [
          {
            status: 'identified',
            message: 'EcoCash is repairing a line.',
            at: '2026-12-03T09:31:00.000Z',
          },
          { status: 'investigating', message: 'Prompts do not arrive.', at: '2026-12-03T09:31:00.000Z' },
        ],
      },
      expect.objectContaining({ id: past, resolvedAt: '2026-11-20T09:31:00.000Z' }),
    ])
    ctx.clock.advance(86_400_001)
    expect((await read()).incidents).toEqual([expect.objectContaining({ id: open })])
    vi.spyOn(ctx.reads.kysely, 'selectFrom').mockImplementation(() => {
      throw new Error('away')
    })
    ctx.clock.advance(60_000)
    expect((await read()).incidents).toEqual([expect.objectContaining({ id: open })])
  })

  test('reports a worker ten seconds after its last round as down', async () => {
    ctx.clock.advance(10_500)
    expect((await read()).states.worker).toBe('operational')
    ctx.clock.advance(1)
    expect(await read()).toMatchObject({ status: 'degraded', states: { worker: 'down' } })
    beat()
    expect((await read()).states.worker).toBe('operational')
  })

  test.each(['degraded', 'down'] as const)('reports that a provider is %s', async (state) => {
    health = async () => state
    expect(await read()).toMatchObject({
      status: 'degraded',
      states: { scripted: state, api: 'operational' },
    })
  })

  test('reports a provider whose check fails as down', async () => {
    health = () => Promise.reject(new Error('no route'))
    expect((await read()).states.scripted).toBe('down')
    health = () => {
      throw new Error('at once')
    }
    ctx.clock.advance(10_000)
    expect((await read()).states.scripted).toBe('down')
  })

  test('does not wait for a provider that never answers', async () => {
    health = () => new Promise(() => undefined)
    const reading = read()
    await expect.poll(() => lookups, withoutAdvance).toBe(1)
    vi.advanceTimersByTime(2500)
    expect((await reading).states.scripted).toBe('down')
  })

  test('checks a provider once in ten seconds, for any number of readers', async () => {
    await Promise.all(Array.from({ length: 64 }, read))
    ctx.clock.advance(9999)
    await read()
    expect(lookups).toBe(1)
    ctx.clock.advance(1)
    await read()
    expect(lookups).toBe(2)
  })

  test('answers while the database is unreachable', async () => {
    await ctx.db.close()
    expect(await read()).toMatchObject({
      status: 'degraded',
      states: { api: 'operational', database: 'down', scripted: 'operational' },
    })
  })

  test('waits a second for a database that does not answer', async () => {
    const held = await Promise.all(Array.from({ length: POOL_SIZES.db }, () => ctx.db.pool.connect()))
    const release = () => held.splice(0).map((client) => client.release())
    async function readAfter(ms: number, meanwhile?: () => void) {
      const reading = read()
      await expect.poll(() => ctx.db.pool.waitingCount, withoutAdvance).toBe(1)
      vi.advanceTimersByTime(ms)
      meanwhile?.()
      return (await reading).states.database
    }
    expect(await readAfter(1000)).toBe('down')
    ctx.clock.advance(1000)
    // The first query still waits.
    expect(await readAfter(999, release)).toBe('operational')
  })

  test('is not cached by proxies', async () => {
    expect((await app.inject({ url: '/v1/status' })).headers['cache-control']).toBe('no-store')
  })
})

import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Caller, makeApp, makeCaller } from '../../../test/app.ts'
import { auditEntriesOn } from '../../../test/audit-entries.ts'
import { makeWorld, type World } from '../../../test/world.ts'
import { publicTargets } from '../../platform/outbound/targets.ts'
import { KeyCache } from '../applications/index.ts'
import { createLive } from '../live/index.ts'
import { makeEvent } from './factory.ts'

let world: World
let app: FastifyInstance
/** An app with the limits of production, and a name server with two hosts. */
let strict: FastifyInstance
let caller: Caller

beforeAll(async () => {
  world = await makeWorld()
  app = await makeApp(world.ctx)
  const hosts: Record<string, string[]> = { 'good.example': ['93.184.216.34'], 'sly.example': ['10.0.0.1'] }
  const targets = publicTargets((host) =>
    host === 'silent.example' ? new Promise(() => undefined) : Promise.resolve(hosts[host] ?? []),
  )
  strict = await makeApp(world.ctx, new KeyCache(), createLive(world.ctx), targets)
})
beforeEach(async () => {
  caller = await makeCaller(world.ctx)
})
afterAll(async () => {
  await Promise.all([app.close(), strict.close()])
  await world.ctx.close()
})

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
const request = (method: Method, url: string, payload?: object, on = app) =>
  on.inject({ method, url: `/api/v1${url}`, headers: caller.withKey, ...(payload && { payload }) })
const hook = { url: 'http://127.0.0.1:9/hooks', events: ['payment.completed', 'payment.failed'] }

describe('/api/v1/webhooks', () => {
  test('an endpoint is created, read, changed and deleted, and its secret is shown once', async () => {
    const made = await request('POST', '/webhooks', hook)
    expect(made.statusCode).toBe(201)
    const { secret, ...endpoint } = made.json()
    expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(32)
    expect(endpoint).toEqual({
      id: expect.stringMatching(/^whk_/),
      object: 'webhook',
      ...hook,
      status: 'active',
      created_at: '2026-11-20T09:30:00.000Z',
    })
    expect((await request('GET', '/webhooks')).json()).toEqual({
      data: [endpoint],
      has_more: false,
      next_cursor: null,
    })
    expect((await request('GET', `/webhooks/${endpoint.id}`)).json()).toEqual(endpoint)

    const changed = await request('PATCH', `/webhooks/${endpoint.id}`, {
      events: ['refund.failed'],
      status: 'disabled',
    })
    expect(changed.json()).toEqual({ ...endpoint, events: ['refund.failed'], status: 'disabled' })
    expect((await request('PATCH', `/webhooks/${endpoint.id}`, {})).json()).toEqual(changed.json())

    expect((await request('DELETE', `/webhooks/${endpoint.id}`)).statusCode).toBe(204)
    for (const [method, payload] of [['GET'], ['PATCH', {}], ['DELETE']] as [Method, object?][]) {
      expect((await request(method, `/webhooks/${endpoint.id}`, payload)).statusCode).toBe(404)
    }
    expect((await request('GET', '/webhooks')).json().data).toEqual([])
    const { rows } = await world.ctx.db.pool.query('select 1 from webhook_secrets where account_id = $1', [
      (await world.ctx.db.pool.query('select account_id from webhook_endpoints order by id desc limit 1'))
        .rows[0].account_id,
    ])
    expect(rows).toEqual([])
    expect((await auditEntriesOn(world.ctx, endpoint.id)).map(({ action }) => action)).toEqual([
      'webhook.created',
      'webhook.changed',
      'webhook.deleted',
    ])
    const auditEntries = JSON.stringify(await auditEntriesOn(world.ctx, endpoint.id))
    expect(auditEntries).not.toContain(secret)
  })

  test('the list is paged, and refuses unknown fields', async () => {
    const ids: string[] = []
    for (let count = 0; count < 3; count += 1)
      ids.unshift((await request('POST', '/webhooks', hook)).json().id)
    const first = (await request('GET', '/webhooks?limit=2')).json()
    expect(first.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2))
    expect(first).toMatchObject({ has_more: true, next_cursor: ids[1] })
    const rest = (await request('GET', `/webhooks?limit=2&cursor=${ids[1]}`)).json()
    expect(rest).toMatchObject({ data: [{ id: ids[2] }], has_more: false, next_cursor: null })
    for (const query of ['limit=0', 'limit=101', 'cursor=x', 'type=payment.failed']) {
      expect((await request('GET', `/webhooks?${query}`)).statusCode).toBe(422)
    }
  })

  test('a new secret is shown once, with the end of the previous one', async () => {
    const { id, secret } = (await request('POST', '/webhooks', hook)).json()
    const rotated = await request('POST', `/webhooks/${id}/rotate-secret`)
    expect(rotated.statusCode).toBe(200)
    expect(rotated.json()).toMatchObject({ id, previous_secret_expires_at: '2026-11-21T09:30:00.000Z' })
    expect(rotated.json().secret).not.toBe(secret)
    for (let count = 0; count < 4; count += 1) await request('POST', `/webhooks/${id}/rotate-secret`)
    const refused = await request('POST', `/webhooks/${id}/rotate-secret`)
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toBe('86400')
  })

  test('ten endpoints are the limit, under concurrent creates too', async () => {
    const answers = await Promise.all(Array.from({ length: 14 }, () => request('POST', '/webhooks', hook)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([
      ...Array(10).fill(201),
      ...Array(4).fill(409),
    ])
    expect(answers.find(({ statusCode }) => statusCode === 409)?.json().code).toBe('webhook_limit_reached')
  })

  test.each([
    [{ ...hook, url: 'nonsense' }, 'url'],
    [{ ...hook, url: 'ftp://example.com' }, 'url'],
    [{ ...hook, url: 'http://user:secret@127.0.0.1/' }, 'url'],
    [{ ...hook, url: `http://127.0.0.1/${'x'.repeat(2048)}` }, 'url'],
    [{ ...hook, url: undefined }, 'url'],
    [{ ...hook, events: [] }, 'events'],
    [{ ...hook, events: ['payment.completed', 'payment.completed'] }, 'events'],
    [{ ...hook, events: ['payment.paid'] }, 'events'],
    [{ ...hook, events: ['webhook.test'] }, 'events'],
    [{ ...hook, event: 'x' }, 'event'],
  ])('%j is refused', async (payload, field) => {
    const refused = await request('POST', '/webhooks', payload)
    expect(refused.statusCode).toBe(422)
    expect(JSON.stringify(refused.json().errors)).toContain(field)
  })

  test('in production only an address on the public network is stored', async () => {
    const create = (url: string) => request('POST', '/webhooks', { ...hook, url }, strict)
    const good = await create('https://good.example/hooks#part')
    expect(good.statusCode).toBe(201)
    expect(good.json().url).toBe('https://good.example/hooks')
    for (const url of [
      'http://good.example/',
      'https://good.example:22/',
      'https://sly.example/',
      'https://127.0.0.1/',
      'https://0x7f.1/',
      'https://[::1]/',
    ]) {
      const refused = await create(url)
      expect([url, refused.statusCode]).toEqual([url, 422])
      expect(refused.json().errors[0].field).toBe('url')
      const change = await request('PATCH', `/webhooks/${good.json().id}`, { url }, strict)
      expect(change.statusCode).toBe(422)
    }
  })

  test('a name that is not found when it is saved is accepted, and the wait for name servers is short', async () => {
    const made = await request('POST', '/webhooks', { ...hook, url: 'https://nowhere.example/hook' }, strict)
    expect([made.statusCode, made.json().url]).toEqual([201, 'https://nowhere.example/hook'])
    const url = 'https://silent.example/hook'
    const changed = await request('PATCH', `/webhooks/${made.json().id}`, { url }, strict)
    expect([changed.statusCode, changed.json().url]).toEqual([200, url])
  })

  test('a refused address changes nothing; names are looked up 120 times a minute', async () => {
    const create = async (url: string) =>
      (await request('POST', '/webhooks', { ...hook, url }, strict)).statusCode
    for (let count = 0; count < 119; count += 1) expect(await create('https://sly.example/')).toBe(422)
    expect(await create('https://good.example/')).toBe(201)
    expect(await create('https://sly.example/')).toBe(429)
    expect(await create('http://good.example/')).toBe(422)
    const { id } = (await request('GET', '/webhooks')).json().data[0]
    const change = async () => (await request('PATCH', `/webhooks/${id}`, {}, strict)).statusCode
    for (let count = 0; count < 29; count += 1) expect(await change()).toBe(200)
    expect(await change()).toBe(429)
  })
})

describe('/api/v1/events', () => {
  /** Waits for the end of the transactions of other test files, which share the server and hold new events back. */
  const untilListed = (count: number, headers = caller.withKey) =>
    vi.waitUntil(async () => {
      const listed = await app.inject({ url: '/api/v1/events', headers })
      return listed.json().data.length === count && listed
    }, 120_000)

  test('lists the events of this application, the newest first, page by page', async () => {
    const ids: string[] = []
    for (const type of ['payment.completed', 'payment.failed', 'payment.completed'] as const) {
      ids.unshift(await makeEvent(world.ctx, caller, type))
    }
    await makeEvent(world.ctx, await makeCaller(world.ctx))
    await untilListed(ids.length)
    const first = (await request('GET', '/events?limit=2')).json()
    expect(first.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2))
    expect(first).toMatchObject({ has_more: true, next_cursor: ids[1] })
    const rest = (await request('GET', `/events?limit=2&cursor=${ids[1]}`)).json()
    expect(rest).toMatchObject({ data: [{ id: ids[2] }], has_more: false, next_cursor: null })
    expect((await request('GET', '/events?type=payment.failed')).json().data).toMatchObject([{ id: ids[1] }])
    expect((await request('GET', `/events/${ids[0]}`)).json()).toEqual({
      id: ids[0],
      type: 'payment.completed',
      created_at: '2026-11-20T09:30:00.000Z',
      sequence: 1,
      data: { object: 'payment', amount: 12.5, description: 'Röyksopp "1001" \\ €' },
    })
    for (const query of ['limit=0', 'limit=101', 'cursor=x', 'type=x', 'x=1']) {
      expect((await request('GET', `/events?${query}`)).statusCode).toBe(422)
    }
  })

  test('the replacement of an application key emits an event that contains neither key', async () => {
    const before = caller.applicationKey
    const url = `/v1/applications/${caller.applicationId}/regenerate-key`
    const { newApplicationKey } = (
      await app.inject({ method: 'PATCH', url, headers: caller.withSession })
    ).json()
    const events = await untilListed(1, { authorization: `Bearer ${newApplicationKey}` })
    expect(events.json().data).toMatchObject([
      {
        type: 'application.key_regenerated',
        data: { object: 'application', id: caller.applicationId, name: 'Shop' },
      },
    ])
    expect(events.body).not.toContain(newApplicationKey)
    expect(events.body).not.toContain(before)
  })

  test('an event is resent to the endpoints that subscribe to its type now', async () => {
    const event = await makeEvent(world.ctx, caller, 'payment.failed')
    const { id } = (await request('POST', '/webhooks', hook)).json()
    await request('POST', '/webhooks', { ...hook, events: ['refund.failed'] })
    const again = await request('POST', `/events/${event}/redeliver`)
    expect(again.statusCode).toBe(202)
    expect(again.json()).toEqual({ event, webhooks: [id] })
  })
})

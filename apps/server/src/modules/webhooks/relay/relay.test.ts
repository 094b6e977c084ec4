import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { EventId } from '@muripo/contract/ids'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { deedsOn } from '../../../../test/deeds.ts'
import { makeShop, makeWorld, type Shop, type World } from '../../../../test/world.ts'
import { systemActor } from '../../../platform/audit/actor.ts'
import { anyTargets } from '../../../platform/outbound/targets.ts'
import { makePaid } from '../../payments/factory.ts'
import { changeEndpoint } from '../actions/change-endpoint.ts'
import { deleteEndpoint } from '../actions/delete-endpoint.ts'
import { redeliverEvent } from '../actions/redeliver-event.ts'
import { rotateSecret } from '../actions/rotate-secret.ts'
import {
  type MadeRelay,
  makeEndpoint,
  makeEvent,
  makeReceiver,
  makeRelay,
  type Receiver,
} from '../factory.ts'
import { findDelivery, triesOf } from '../store-deliveries.ts'
import { type Endpoint, findEndpoint } from '../store-endpoints.ts'
import { pausesMs } from './schedule.ts'

let world: World
let shop: Shop
let receiver: Receiver
let relays: MadeRelay[]

beforeAll(async () => {
  world = await makeWorld()
})
beforeEach(async () => {
  shop = await makeShop(world.ctx)
  receiver = await makeReceiver()
  relays = []
})
afterEach(async () => {
  await Promise.all(relays.map((relay) => relay.stop()))
  await receiver.close()
  expect(world.errors.splice(0)).toEqual([])
})
afterAll(() => world.ctx.close())

function relay(options?: Parameters<typeof makeRelay>[1]): MadeRelay {
  const made = makeRelay(world.ctx, options)
  relays.push(made)
  return made
}

const deliveryOf = (endpoint: Endpoint, event: EventId) =>
  findDelivery(world.ctx.db.kysely, endpoint.merchantId, endpoint.id, event)
const statusOf = async (endpoint: Endpoint) =>
  (await findEndpoint(world.ctx.db.kysely, endpoint, endpoint.id))?.status
const settled = (endpoint: Endpoint, event: EventId) =>
  vi.waitUntil(async () => {
    const delivery = await deliveryOf(endpoint, event)
    return delivery?.status === 'pending' || delivery === null ? false : delivery
  }, 10_000)
const tried = (endpoint: Endpoint, event: EventId, tries: number) =>
  vi.waitUntil(async () => {
    const delivery = await deliveryOf(endpoint, event)
    return delivery?.tries === tries ? delivery : false
  }, 10_000)

describe('a delivery', () => {
  test('brings a payment’s news with its order, signed so that the standard’s own library knows it', async () => {
    const { endpoint, secret } = await makeEndpoint(world.ctx, shop, receiver.url)
    relay()
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    await expect.poll(() => receiver.received.length).toBe(1)
    const [got] = receiver.received
    const body = JSON.parse(got?.body ?? '')
    expect(body).toMatchObject({
      id: got?.id,
      type: 'payment.completed',
      sequence: 1,
      data: { object: 'payment', id: payment.id, status: 'completed' },
    })
    expect(Object.keys(body)).toEqual(['id', 'type', 'created_at', 'sequence', 'data'])
    expect(got?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Muripo-Webhooks/1',
    })
    expect(verified(secret, got)).toEqual(body)
    expect(() => verified(secret, got && { ...got, body: got.body.replace('12.5', '1250') })).toThrow()
    const delivery = await settled(endpoint, body.id)
    expect(delivery).toMatchObject({ status: 'delivered', tries: 1, responseStatus: 204, fault: null })
  })

  test('goes to those endpoints of the application that take its type, and to no others', async () => {
    const other = await makeShop(world.ctx)
    const [refunds, off, elsewhere] = await Promise.all([makeReceiver(), makeReceiver(), makeReceiver()])
    await makeEndpoint(world.ctx, shop, receiver.url)
    await makeEndpoint(world.ctx, shop, refunds.url, ['refund.failed'])
    const { endpoint } = await makeEndpoint(world.ctx, shop, off.url)
    await change(endpoint, { status: 'disabled' })
    await makeEndpoint(world.ctx, other, elsewhere.url)
    relay()
    const event = await makeEvent(world.ctx, shop, 'payment.failed')
    await expect.poll(() => receiver.ids()).toEqual([event])
    const last = await makeEvent(world.ctx, shop, 'refund.failed')
    await expect.poll(() => refunds.ids()).toEqual([last])
    expect([...off.received, ...elsewhere.received]).toEqual([])
    await Promise.all([refunds.close(), off.close(), elsewhere.close()])
  })

  test('that is refused comes again with the same id and bytes and a new signature, until it is taken', async () => {
    const { endpoint, secret } = await makeEndpoint(world.ctx, shop, receiver.url)
    receiver.answer = (reply) => reply.writeHead(500).end('not now')
    relay()
    const event = await makeEvent(world.ctx, shop)
    expect(await tried(endpoint, event, 1)).toMatchObject({
      status: 'pending',
      responseStatus: 500,
      fault: 'refused',
    })
    receiver.answer = (reply) => reply.writeHead(200).end('thanks')
    world.ctx.clock.advance(6500)
    expect(await settled(endpoint, event)).toMatchObject({ status: 'delivered', tries: 2 })
    const [first, second] = receiver.received
    expect(receiver.ids()).toEqual([event])
    expect(second?.body).toBe(first?.body)
    expect(second?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature'])
    expect([verified(secret, first), verified(secret, second)]).toHaveLength(2)
    const log = await triesOf(world.ctx.db.kysely, endpoint.merchantId, endpoint.id, event)
    expect(log).toMatchObject([
      { number: 2, responseStatus: 200, responseBody: 'thanks', fault: null },
      { number: 1, responseStatus: 500, responseBody: 'not now', fault: 'refused' },
    ])
    expect(log[0]?.requestHeaders['webhook-signature']).toBe(second?.headers['webhook-signature'])
  })

  test('that is refused ten times over three days is given up; its endpoint is failing, and its owner told once', async () => {
    const { endpoint } = await makeEndpoint(world.ctx, shop, receiver.url)
    receiver.answer = (reply) => reply.writeHead(503).end()
    relay()
    const [event, twin] = [await makeEvent(world.ctx, shop), await makeEvent(world.ctx, shop)]
    for (const [index, pause] of pausesMs.entries()) {
      const { nextTryAt } = await tried(endpoint, event, index + 1)
      await tried(endpoint, twin, index + 1)
      const wait = (nextTryAt?.getTime() ?? 0) - world.ctx.clock.now().getTime()
      expect(wait).toBeGreaterThanOrEqual(pause * 0.8)
      expect(wait).toBeLessThanOrEqual(pause * 1.2)
      world.ctx.clock.advance(pause * 1.2)
    }
    for (const each of [event, twin]) {
      expect(await settled(endpoint, each)).toMatchObject({ status: 'failed', tries: 10, nextTryAt: null })
    }
    expect(await statusOf(endpoint)).toBe('failing')
    expect(await deedsOn(world.ctx, endpoint.id)).toMatchObject([
      { action: 'webhook.created' },
      { action: 'webhook.failing', actor_kind: 'system', actor: 'webhooks' },
    ])
    expect(mailsAbout('failing')).toHaveLength(1)

    receiver.answer = (reply) => reply.writeHead(200).end()
    // What is known of an endpoint may be a moment old.
    world.ctx.clock.advance(1000)
    const next = await makeEvent(world.ctx, shop)
    expect(await settled(endpoint, next)).toMatchObject({ status: 'delivered', tries: 1 })
    await expect.poll(() => statusOf(endpoint)).toBe('active')
  })

  test('that is answered 410 ends them all: the endpoint is off, and its owner told', async () => {
    const { endpoint } = await makeEndpoint(world.ctx, shop, receiver.url)
    receiver.answer = (reply) => reply.writeHead(410).end()
    relay()
    const event = await makeEvent(world.ctx, shop)
    expect(await settled(endpoint, event)).toMatchObject({ status: 'failed', tries: 1, responseStatus: 410 })
    expect(await statusOf(endpoint)).toBe('disabled')
    await makeEvent(world.ctx, shop)
    await expect
      .poll(async () => (await world.ctx.db.pool.query('select 1 from events_to_relay')).rows)
      .toEqual([])
    expect(receiver.received).toHaveLength(1)
    expect(mailsAbout('turned off')).toHaveLength(1)
  })

  test.each([
    [
      'a redirect',
      (reply) => reply.writeHead(302, { location: receiver.url }).end(),
      { responseStatus: 302 },
    ],
    ['a success that never ends', (reply) => reply.writeHead(200).write('x'), { fault: 'timed_out' }],
    ['nothing', () => undefined, { fault: 'timed_out' }],
    ['a line that breaks', (reply) => reply.destroy(), { fault: 'connection_failed' }],
  ] as [string, Receiver['answer'], object][])('%s is no success', async (_what, answer, expected) => {
    const { endpoint } = await makeEndpoint(world.ctx, shop, receiver.url)
    receiver.answer = answer
    relay({ timeoutMs: 200 })
    const event = await makeEvent(world.ctx, shop)
    expect(await tried(endpoint, event, 1)).toMatchObject({ status: 'pending', ...expected })
    expect(receiver.received).toHaveLength(1)
  })

  test('is not read beyond 64 kB, of which a little is kept', async () => {
    const { endpoint } = await makeEndpoint(world.ctx, shop, receiver.url)
    let sent = 0
    receiver.answer = (reply) => {
      reply.writeHead(200, { 'content-type': 'text/plain' })
      const pour = () => {
        while (!reply.destroyed && sent < 50_000_000 && reply.write('\0é'.repeat(5000))) sent += 15_000
        if (sent >= 50_000_000) reply.end()
        else reply.once('drain', pour)
      }
      pour()
    }
    relay()
    const event = await makeEvent(world.ctx, shop)
    expect(await settled(endpoint, event)).toMatchObject({ status: 'delivered' })
    const [log] = await triesOf(world.ctx.db.kysely, endpoint.merchantId, endpoint.id, event)
    expect(log?.responseCut).toBe(true)
    expect(Buffer.byteLength(log?.responseBody.replaceAll('\ufffd', '\0') ?? '')).toBeLessThanOrEqual(2048)
    // What fills the sockets' buffers is sent; what is not read holds up the rest.
    expect(sent).toBeLessThan(20_000_000)
  })

  test('leaves a receiver alone for as long as it asks', async () => {
    const { endpoint } = await makeEndpoint(world.ctx, shop, receiver.url)
    receiver.answer = (reply) => reply.writeHead(429, { 'retry-after': '3600' }).end()
    relay()
    const event = await makeEvent(world.ctx, shop)
    const { nextTryAt } = await tried(endpoint, event, 1)
    expect((nextTryAt?.getTime() ?? 0) - world.ctx.clock.now().getTime()).toBe(3_600_000)
  })

  test('is not sent once its endpoint is deleted', async () => {
    const { endpoint } = await makeEndpoint(world.ctx, shop, receiver.url)
    receiver.answer = (reply) => reply.writeHead(500).end()
    relay()
    const event = await makeEvent(world.ctx, shop)
    await tried(endpoint, event, 1)
    await deleteEndpoint(world.ctx, systemActor('test'), shop, endpoint.id)
    world.ctx.clock.advance(6500)
    expect(await settled(endpoint, event)).toMatchObject({
      status: 'failed',
      tries: 1,
      fault: 'endpoint_off',
    })
    expect(receiver.received).toHaveLength(1)
  })
})

test('while a secret is changed over both sign, and afterwards the new one alone', async () => {
  const { endpoint, secret: old } = await makeEndpoint(world.ctx, shop, receiver.url)
  const { secret: fresh } = await rotateSecret(world.ctx, systemActor('test'), shop, endpoint.id)
  relay()
  await makeEvent(world.ctx, shop)
  await expect.poll(() => receiver.received.length).toBe(1)
  expect(verified(old, receiver.received[0])).toEqual(verified(fresh, receiver.received[0]))
  expect(receiver.received[0]?.headers['webhook-signature']?.toString().split(' ')).toHaveLength(2)

  world.ctx.clock.advance(24 * 3_600_000)
  await makeEvent(world.ctx, shop)
  await expect.poll(() => receiver.received.length).toBe(2)
  expect(() => verified(old, receiver.received[1])).toThrow()
  expect(verified(fresh, receiver.received[1])).toMatchObject({ type: 'payment.completed' })
})

test('an event is sent again under its id to whoever took it before, and the schedule starts over', async () => {
  const { endpoint } = await makeEndpoint(world.ctx, shop, receiver.url)
  relay()
  const event = await makeEvent(world.ctx, shop)
  await settled(endpoint, event)
  receiver.answer = (reply) => reply.writeHead(500).end()
  expect(await redeliverEvent(world.ctx, shop, event)).toEqual([endpoint.id])
  const again = await tried(endpoint, event, 2)
  expect((again.nextTryAt?.getTime() ?? 0) - world.ctx.clock.now().getTime()).toBeLessThanOrEqual(6000)
  expect(receiver.ids()).toEqual([event])
  expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body)
})

describe('several processes', () => {
  test('two relays lose nothing of what is written meanwhile, and do not do it twice', async () => {
    const { endpoint } = await makeEndpoint(world.ctx, shop, receiver.url)
    relay()
    relay()
    const events: EventId[] = []
    for (let batch = 0; batch < 20; batch += 1) {
      events.push(...(await Promise.all(Array.from({ length: 20 }, () => makeEvent(world.ctx, shop)))))
    }
    await expect.poll(() => receiver.ids().length).toBe(events.length)
    expect(receiver.ids().toSorted()).toEqual(events.toSorted())
    expect(receiver.received).toHaveLength(events.length)
    await expect
      .poll(async () => (await statusesOf(endpoint)).map(({ status, count }) => `${status} ${count}`))
      .toEqual([`delivered ${events.length}`])
  })

  test('an event whose commit comes after that of a younger one is not passed over', async () => {
    await makeEndpoint(world.ctx, shop, receiver.url)
    relay()
    const { promise, resolve } = Promise.withResolvers<void>()
    const late = world.ctx.db.tx(async (tx) => {
      const event = await makeEvent({ ...world.ctx, db: { ...world.ctx.db, tx: (work) => work(tx) } }, shop)
      await promise
      return event
    })
    const young = await makeEvent(world.ctx, shop)
    await expect.poll(() => receiver.ids()).toEqual([young])
    resolve()
    const old = await late
    await expect.poll(() => receiver.ids()).toEqual([young, old])
  })

  test('what a killed process had sent and not written down is sent again by another, under the same id', async () => {
    const { endpoint } = await makeEndpoint(world.ctx, shop, receiver.url)
    const { promise: cameIn, resolve } = Promise.withResolvers<void>()
    receiver.answer = (reply) => {
      resolve()
      setTimeout(() => reply.writeHead(200).end(), 100)
    }
    const first = makeRelay(world.ctx)
    const event = await makeEvent(world.ctx, shop)
    await cameIn
    await first.kill()
    expect(world.errors.splice(0)).toContain('a delivery was sent and could not be written down')
    expect(await deliveryOf(endpoint, event)).toMatchObject({ status: 'pending', tries: 0 })
    relay()
    world.ctx.clock.advance(60_000)
    expect(await settled(endpoint, event)).toMatchObject({ status: 'delivered', tries: 1 })
    expect(receiver.received.map(({ id }) => id)).toEqual([event, event])
  })

  test('of two processes one is killed amid its deliveries: every event arrives, and is settled', async () => {
    const { endpoint } = await makeEndpoint(world.ctx, shop, receiver.url)
    receiver.answer = (reply) => setTimeout(() => reply.writeHead(200).end(), 20)
    const file = fileURLToPath(new URL('../../../../test/relay-process.ts', import.meta.url))
    const processes = [0, 1].map(() => fork(file, [world.ctx.databaseUrl]))
    try {
      const events = await Promise.all(Array.from({ length: 300 }, () => makeEvent(world.ctx, shop)))
      await expect.poll(() => receiver.received.length).toBeGreaterThan(50)
      processes[0]?.kill('SIGKILL')
      // The processes live in the time of this machine; what the dead one holds is free a minute later.
      world.ctx.clock.advance(Date.now() + 61_000 - world.ctx.clock.now().getTime())
      relay()
      await expect.poll(() => receiver.ids().length).toBe(events.length)
      await expect
        .poll(async () => (await statusesOf(endpoint)).map(({ status, count }) => `${status} ${count}`))
        .toEqual([`delivered ${events.length}`])
    } finally {
      for (const each of processes) each.kill('SIGKILL')
    }
  })

  test('what a process that stops had taken and not sent goes at once with the next', async () => {
    const { endpoint } = await makeEndpoint(world.ctx, shop, receiver.url)
    receiver.answer = () => undefined
    const first = makeRelay(world.ctx, { timeoutMs: 60_000 })
    const events = await Promise.all(Array.from({ length: 5 }, () => makeEvent(world.ctx, shop)))
    await expect.poll(() => receiver.received.length).toBe(2)
    receiver.received.splice(0)
    receiver.answer = (reply) => reply.writeHead(200).end()
    await first.stop()
    relay()
    for (const event of events)
      expect(await settled(endpoint, event)).toMatchObject({ status: 'delivered', tries: 1 })
    expect(receiver.received).toHaveLength(events.length)
  })
})

test('endpoints that hang do not keep those waiting that answer', async () => {
  const hanging = await makeReceiver(() => undefined)
  for (let count = 0; count < 5; count += 1) await makeEndpoint(world.ctx, shop, hanging.url)
  for (let count = 0; count < 5; count += 1) await makeEndpoint(world.ctx, shop, `${receiver.url}?${count}`)
  relay({ timeoutMs: 5000 })
  const began = performance.now()
  const events = await Promise.all(Array.from({ length: 100 }, () => makeEvent(world.ctx, shop)))
  await expect.poll(() => receiver.received.length).toBe(5 * events.length)
  expect(performance.now() - began).toBeLessThan(4500)
  expect(hanging.received.length).toBeLessThanOrEqual(10)
  await hanging.close()
})

async function statusesOf(endpoint: Endpoint) {
  const { rows } = await world.ctx.db.pool.query<{ status: string; count: number }>(
    'select d.status, count(*)::int from webhook_deliveries d join webhook_endpoints w on w.id = d.endpoint_id where w.url = $1 group by 1',
    [endpoint.url],
  )
  return rows
}

const change = (endpoint: Endpoint, to: Parameters<typeof changeEndpoint>[4]) =>
  changeEndpoint({ ...world.ctx, targets: anyTargets() }, systemActor('test'), shop, endpoint.id, to)

const mailsAbout = (words: string) => world.ctx.mails.filter(({ subject }) => subject.includes(words))

/** The library reads this machine's clock, and the test's stands still: the time alone is moved. */
function verified(secret: string, got: Receiver['received'][number] | undefined): unknown {
  if (!got) throw new Error('nothing came')
  vi.useFakeTimers({ toFake: ['Date'], now: Number(got.headers['webhook-timestamp']) * 1000 })
  try {
    return new Webhook(secret).verify(got.body, got.headers as Record<string, string>)
  } finally {
    vi.useRealTimers()
  }
}

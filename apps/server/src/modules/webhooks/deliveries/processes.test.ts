import { fork } from 'node:child_process'
import type { ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { relayWorld } from '../../../../test/relay-world.ts'
import { makeShop, type Shop } from '../../../../test/world.ts'
import type { Endpoint } from '../endpoints/store-endpoints.ts'
import { makeEndpoint, makeEvent, makeEvents, makeRelay, type Receiver } from '../factory.ts'

const { world, openReceiver, relay, deliveryOf, settled } = await relayWorld()
let shop: Shop
let receiver: Receiver
beforeEach(async () => {
  shop = await makeShop(world.ctx)
  receiver = await openReceiver()
})

describe('several processes', () => {
  test('two relays lose no concurrent event, and deliver none twice', async () => {
    const { endpoint } = await makeEndpoint(world.ctx, shop, receiver.url)
    relay()
    relay()
    const events = await makeEvents(world.ctx, shop, 400)
    await expect.poll(() => receiver.ids().length).toBe(events.length)
    expect(receiver.ids().toSorted()).toEqual(events.toSorted())
    expect(receiver.received).toHaveLength(events.length)
    await expect
      .poll(async () => (await statusesOf(endpoint)).map(({ status, count }) => `${status} ${count}`))
      .toEqual([`delivered ${events.length}`])
  })

  test('an event that commits after a younger one is not skipped', async () => {
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

  test('another process repeats the unrecorded deliveries of a killed process, under the same id', async () => {
    const { endpoint } = await makeEndpoint(world.ctx, shop, receiver.url)
    const { promise: request, resolve } = Promise.withResolvers<ServerResponse>()
    receiver.answer = resolve
    const first = makeRelay(world.ctx)
    const event = await makeEvent(world.ctx, shop)
    const reply = await request
    receiver.answer = (again) => again.writeHead(200).end()
    const killed = first.kill()
    reply.writeHead(200).end()
    await killed
    expect(world.errors.splice(0)).toContain('the outcome of a delivery could not be recorded')
    expect(await deliveryOf(endpoint, event)).toMatchObject({ status: 'pending', attempts: 0 })
    relay()
    world.ctx.clock.advance(60_000)
    expect(await settled(endpoint, event)).toMatchObject({ status: 'delivered', attempts: 1 })
    expect(receiver.received.map(({ id }) => id)).toEqual([event, event])
  })

  test('one of two processes is killed during its deliveries: every event is delivered and recorded', async () => {
    const { endpoint } = await makeEndpoint(world.ctx, shop, receiver.url)
    receiver.answer = (reply) => setTimeout(() => reply.writeHead(200).end(), 20)
    const file = fileURLToPath(new URL('../../../../test/relay-process.ts', import.meta.url))
    const processes = [0, 1].map(() => fork(file, [world.ctx.databaseUrl]))
    try {
      const events = await makeEvents(world.ctx, shop, 300)
      await expect.poll(() => receiver.received.length).toBeGreaterThan(50)
      processes[0]?.kill('SIGKILL')
      // The processes use this machine's clock. The leases of the killed one last a minute, and its last statement may end after it.
      world.ctx.clock.advance(Date.now() + 10 * 60_000 - world.ctx.clock.now().getTime())
      relay()
      await expect.poll(() => receiver.ids().length).toBe(events.length)
      await expect
        .poll(async () => (await statusesOf(endpoint)).map(({ status, count }) => `${status} ${count}`))
        .toEqual([`delivered ${events.length}`])
    } finally {
      for (const each of processes) each.kill('SIGKILL')
    }
  })

  test('the next process sends the leased deliveries of a stopped process at once', async () => {
    const { endpoint } = await makeEndpoint(world.ctx, shop, receiver.url)
    receiver.answer = () => undefined
    const first = makeRelay(world.ctx, { timeoutMs: 60_000 })
    const events = await makeEvents(world.ctx, shop, 5)
    await expect.poll(() => receiver.received.length).toBe(2)
    receiver.received.splice(0)
    receiver.answer = (reply) => reply.writeHead(200).end()
    await first.stop()
    relay()
    for (const event of events)
      expect(await settled(endpoint, event)).toMatchObject({ status: 'delivered', attempts: 1 })
    expect(receiver.received).toHaveLength(events.length)
  })
})

async function statusesOf(endpoint: Endpoint) {
  const { rows } = await world.ctx.db.pool.query<{ status: string; count: number }>(
    'select d.status, count(*)::int from webhook_deliveries d join webhook_endpoints w on w.id = d.endpoint_id where w.url = $1 group by 1',
    [endpoint.url],
  )
  return rows
}

import type { ServerResponse } from 'node:http'
import { beforeEach, expect, test } from 'vitest'
import { relayWorld } from '../../../../test/relay-world.ts'
import { makeShop, type Shop } from '../../../../test/world.ts'
import { systemActor } from '../../../platform/audit/actor.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { anyTargets } from '../../../platform/outbound/targets.ts'
import { changeEndpoint } from '../endpoints/actions/change-endpoint.ts'
import { type Endpoint, findEndpoint } from '../endpoints/store-endpoints.ts'
import { makeEndpoint, makeEvent, makeEvents, makeNewEndpoint, type Receiver } from '../factory.ts'

const { world, openReceiver, relay, settled, attemptsOn } = await relayWorld()
let shop: Shop
let receiver: Receiver
beforeEach(async () => {
  shop = await makeShop(world.ctx)
  receiver = await openReceiver()
})

const statusOf = async (endpoint: Endpoint) =>
  (await findEndpoint(world.ctx.db.kysely, endpoint, endpoint.id))?.status
const events = (count: number) => makeEvents(world.ctx, shop, count)
const mails = () => world.ctx.mails.filter(({ subject }) => subject.includes('turned off'))

/** Answers each request after a pause in which a concurrent one arrives, and returns the highest number of concurrent requests. */
function countOpen(status: number): () => number {
  let [open, most] = [0, 0]
  receiver.answer = async (reply) => {
    open += 1
    most = Math.max(most, open)
    await new Promise((resolve) => setTimeout(resolve, 20))
    open -= 1
    reply.writeHead(status).end()
  }
  return () => most
}

test('an endpoint that has never answered gets one delivery at a time, and more after its first 2xx', async () => {
  const mostAtNew = countOpen(500)
  await makeNewEndpoint(world.ctx, shop, receiver.url)
  await events(5)
  relay()
  await expect.poll(() => receiver.ids()).toHaveLength(5)
  expect(mostAtNew()).toBe(1)

  const proven = await openReceiver()
  const { endpoint } = await makeNewEndpoint(world.ctx, shop, proven.url)
  await settled(endpoint, await makeEvent(world.ctx, shop))
  const held: ServerResponse[] = []
  proven.answer = (reply) => void held.push(reply)
  await events(2)
  await expect.poll(() => held).toHaveLength(2)
  for (const reply of held) reply.writeHead(200).end()
})

test('after ten failures before its first 2xx it is disabled and its owner notified once; enabled again it has ten more', async () => {
  receiver.answer = (reply) => reply.writeHead(404).end()
  const { endpoint } = await makeNewEndpoint(world.ctx, shop, receiver.url)
  relay()
  await events(14)
  await expect.poll(() => statusOf(endpoint)).toBe('disabled')
  expect(receiver.received.length).toBeLessThan(14)
  expect(mails()).toMatchObject([{ to: expect.any(String), text: expect.stringContaining('never answered') }])

  await changeEndpoint({ ...world.ctx, targets: anyTargets() }, systemActor('test'), endpoint, endpoint.id, {
    status: 'active',
  })
  world.ctx.clock.advance(1500)
  receiver.answer = (reply) => reply.writeHead(200).end()
  const event = await makeEvent(world.ctx, shop)
  expect(await settled(endpoint, event)).toMatchObject({ status: 'delivered' })
})

test('an endpoint that has answered once is not disabled for failures', async () => {
  receiver.answer = (reply) => reply.writeHead(500).end()
  const { endpoint } = await makeEndpoint(world.ctx, shop, receiver.url)
  relay()
  for (const event of await events(12)) await attemptsOn(endpoint, event, 1)
  expect(await statusOf(endpoint)).toBe('active')
})

test('a new address must be proven again', async () => {
  const { endpoint } = await makeEndpoint(world.ctx, shop, receiver.url)
  const refusing = await openReceiver()
  refusing.answer = (reply) => reply.writeHead(500).end()
  await changeEndpoint({ ...world.ctx, targets: anyTargets() }, systemActor('test'), endpoint, endpoint.id, {
    url: refusing.url,
  })
  relay()
  await events(12)
  await expect.poll(() => statusOf(endpoint)).toBe('disabled')
})

test('a response of the previous address does not prove the new one', async () => {
  const { endpoint } = await makeNewEndpoint(world.ctx, shop, receiver.url)
  let answer = () => {}
  receiver.answer = (reply) => {
    answer = () => reply.writeHead(200).end()
  }
  relay()
  const event = await makeEvent(world.ctx, shop)
  await expect.poll(() => receiver.received.length).toBe(1)
  await changeEndpoint({ ...world.ctx, targets: anyTargets() }, systemActor('test'), endpoint, endpoint.id, {
    url: 'http://127.0.0.1:9/other',
  })
  answer()
  await settled(endpoint, event)
  const { rows } = await world.ctx.db.pool.query('select proven_at from webhook_endpoints where id = $1', [
    uuidOf(endpoint.id),
  ])
  expect(rows).toEqual([{ proven_at: null }])
})

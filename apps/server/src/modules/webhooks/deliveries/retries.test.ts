import { beforeEach, describe, expect, test } from 'vitest'
import { auditEntriesOn } from '../../../../test/audit-entries.ts'
import { relayWorld, verified } from '../../../../test/relay-world.ts'
import { makeShop, type Shop } from '../../../../test/world.ts'
import { type Endpoint, findEndpoint } from '../endpoints/store-endpoints.ts'
import { makeEndpoint, makeEvent, type Receiver } from '../factory.ts'
import { redeliverEvent } from './actions/send-on-request.ts'
import { pausesMs } from './send.ts'
import { attemptsOf } from './store-deliveries.ts'

const { world, openReceiver, relay, settled, attemptsOn } = await relayWorld()
let shop: Shop
let receiver: Receiver
beforeEach(async () => {
  shop = await makeShop(world.ctx)
  receiver = await openReceiver()
})

const statusOf = async (endpoint: Endpoint) =>
  (await findEndpoint(world.ctx.db.kysely, endpoint, endpoint.id))?.status
const mailsAbout = (words: string) => world.ctx.mails.filter(({ subject }) => subject.includes(words))

describe('a delivery', () => {
  test('that is refused is retried with the same id and bytes and a new signature, until it is accepted', async () => {
    const { endpoint, secret } = await makeEndpoint(world.ctx, shop, receiver.url)
    receiver.answer = (reply) => reply.writeHead(500).end('not now')
    relay()
    const event = await makeEvent(world.ctx, shop)
    expect(await attemptsOn(endpoint, event, 1)).toMatchObject({
      status: 'pending',
      responseStatus: 500,
      error: 'refused',
    })
    receiver.answer = (reply) => reply.writeHead(200).end('thanks')
    world.ctx.clock.advance(6500)
    expect(await settled(endpoint, event)).toMatchObject({ status: 'delivered', attempts: 2 })
    const [first, second] = receiver.received
    expect(receiver.ids()).toEqual([event])
    expect(second?.body).toBe(first?.body)
    expect(second?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature'])
    expect([verified(secret, first), verified(secret, second)]).toHaveLength(2)
    const log = await attemptsOf(world.ctx.db.kysely, endpoint.accountId, endpoint.id, event)
    expect(log).toMatchObject([
      { number: 2, responseStatus: 200, responseBody: 'thanks', error: null },
      { number: 1, responseStatus: 500, responseBody: 'not now', error: 'refused' },
    ])
    expect(log[0]?.requestHeaders['webhook-signature']).toBe(second?.headers['webhook-signature'])
  })

  test('that is refused ten times over about three days is exhausted; its endpoint is failing, and its owner is notified once', async () => {
    const { endpoint } = await makeEndpoint(world.ctx, shop, receiver.url)
    receiver.answer = (reply) => reply.writeHead(503).end()
    relay()
    const [event, twin] = [await makeEvent(world.ctx, shop), await makeEvent(world.ctx, shop)]
    for (const [index, pause] of pausesMs.entries()) {
      const { nextAttemptAt } = await attemptsOn(endpoint, event, index + 1)
      await attemptsOn(endpoint, twin, index + 1)
      const wait = (nextAttemptAt?.getTime() ?? 0) - world.ctx.clock.now().getTime()
      expect(wait).toBeGreaterThanOrEqual(pause * 0.8)
      expect(wait).toBeLessThanOrEqual(pause * 1.2)
      world.ctx.clock.advance(pause * 1.2)
    }
    for (const each of [event, twin]) {
      expect(await settled(endpoint, each)).toMatchObject({
        status: 'failed',
        attempts: 10,
        nextAttemptAt: null,
      })
    }
    expect(await statusOf(endpoint)).toBe('failing')
    expect(await auditEntriesOn(world.ctx, endpoint.id)).toMatchObject([
      { action: 'webhook.created' },
      { action: 'webhook.failing', actor_kind: 'system', actor: 'webhooks' },
    ])
    expect(mailsAbout('failing')).toMatchObject([
      { text: expect.stringMatching(/over about three days.*the one marked Failing/s) },
    ])

    receiver.answer = (reply) => reply.writeHead(200).end()
    // The cached endpoint may be a moment old.
    world.ctx.clock.advance(1000)
    const next = await makeEvent(world.ctx, shop)
    expect(await settled(endpoint, next)).toMatchObject({ status: 'delivered', attempts: 1 })
    await expect.poll(() => statusOf(endpoint)).toBe('active')
  })

  test('that is answered 410 ends all: the endpoint is disabled, and its owner notified', async () => {
    const { endpoint } = await makeEndpoint(world.ctx, shop, receiver.url)
    receiver.answer = (reply) => reply.writeHead(410).end()
    relay()
    const event = await makeEvent(world.ctx, shop)
    expect(await settled(endpoint, event)).toMatchObject({
      status: 'failed',
      attempts: 1,
      responseStatus: 410,
    })
    expect(await statusOf(endpoint)).toBe('disabled')
    await makeEvent(world.ctx, shop)
    await expect
      .poll(async () => (await world.ctx.db.pool.query('select 1 from events_to_relay')).rows)
      .toEqual([])
    expect(receiver.received).toHaveLength(1)
    expect(mailsAbout('turned off')).toMatchObject([{ text: expect.stringContaining('the one marked Off') }])
  })

  test('pauses for as long as the endpoint requests', async () => {
    const { endpoint } = await makeEndpoint(world.ctx, shop, receiver.url)
    receiver.answer = (reply) => reply.writeHead(429, { 'retry-after': '3600' }).end()
    relay()
    const event = await makeEvent(world.ctx, shop)
    const { nextAttemptAt } = await attemptsOn(endpoint, event, 1)
    expect((nextAttemptAt?.getTime() ?? 0) - world.ctx.clock.now().getTime()).toBe(3_600_000)
  })
})

test('an event is sent again under its id to the endpoints that received it, and the schedule starts over', async () => {
  const { endpoint } = await makeEndpoint(world.ctx, shop, receiver.url)
  relay()
  const event = await makeEvent(world.ctx, shop)
  await settled(endpoint, event)
  receiver.answer = (reply) => reply.writeHead(500).end()
  expect(await redeliverEvent(world.ctx, shop, event)).toEqual([endpoint.id])
  const again = await attemptsOn(endpoint, event, 2)
  expect((again.nextAttemptAt?.getTime() ?? 0) - world.ctx.clock.now().getTime()).toBeLessThanOrEqual(6000)
  expect(receiver.ids()).toEqual([event])
  expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body)
})

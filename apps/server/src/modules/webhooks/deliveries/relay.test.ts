import { beforeEach, describe, expect, test } from 'vitest'
import { controlledTimeouts } from '../../../../test/controlled-timeouts.ts'
import { relayWorld, verified } from '../../../../test/relay-world.ts'
import { makeShop, type Shop } from '../../../../test/world.ts'
import { systemActor } from '../../../platform/audit/actor.ts'
import { anyTargets } from '../../../platform/outbound/targets.ts'
import { makePaid } from '../../payments/factory.ts'
import { changeEndpoint } from '../endpoints/actions/change-endpoint.ts'
import { deleteEndpoint } from '../endpoints/actions/delete-endpoint.ts'
import { rotateSecret } from '../endpoints/actions/rotate-secret.ts'
import type { Endpoint } from '../endpoints/store-endpoints.ts'
import { makeEndpoint, makeEvent, makeEvents, makeReceiver, type Receiver } from '../factory.ts'
import { attemptsOf } from './store-deliveries.ts'

const TIMEOUT_MS = 20_000

const { world, openReceiver, relay, settled, attemptsOn } = await relayWorld()
let shop: Shop
let receiver: Receiver
beforeEach(async () => {
  shop = await makeShop(world.ctx)
  receiver = await openReceiver()
})

describe('a delivery', () => {
  test('delivers a payment’s events in order, signed as the standard’s own library verifies', async () => {
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
    expect(delivery).toMatchObject({ status: 'delivered', attempts: 1, responseStatus: 204, error: null })
  })

  test('is sent to the endpoints of the application that subscribe to its type, and to no others', async () => {
    const other = await makeShop(world.ctx)
    const [refunds, off, elsewhere] = await Promise.all([openReceiver(), openReceiver(), openReceiver()])
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
  })

  test.each([
    [
      'a redirect',
      (reply) => reply.writeHead(302, { location: receiver.url }).end(),
      { responseStatus: 302 },
    ],
    ['a success that never ends', (reply) => reply.writeHead(200).write('x'), { error: 'timed_out' }],
    ['nothing', () => undefined, { error: 'timed_out' }],
    ['a line that breaks', (reply) => reply.destroy(), { error: 'connection_failed' }],
  ] as [string, Receiver['answer'], Record<string, unknown>][])(
    '%s is no success',
    async (_what, answer, expected) => {
      const timeouts = controlledTimeouts(TIMEOUT_MS)
      const { endpoint } = await makeEndpoint(world.ctx, shop, receiver.url)
      receiver.answer = (reply, got) => {
        answer(reply, got)
        // The pause lets the relay read the beginning of the response.
        if (expected.error === 'timed_out') setTimeout(() => timeouts.expire(TIMEOUT_MS), 50)
      }
      relay({ timeoutMs: TIMEOUT_MS })
      const event = await makeEvent(world.ctx, shop)
      expect(await attemptsOn(endpoint, event, 1)).toMatchObject({ status: 'pending', ...expected })
      expect(receiver.received).toHaveLength(1)
    },
  )

  test('reads a response up to 64 kB, and stores a small part', async () => {
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
    const [log] = await attemptsOf(world.ctx.db.kysely, endpoint.accountId, endpoint.id, event)
    expect(log?.responseCut).toBe(true)
    expect(Buffer.byteLength(log?.responseBody.replaceAll('\ufffd', '\0') ?? '')).toBeLessThanOrEqual(2048)
    // Only data that fits the sockets' buffers is sent; an endpoint that does not read stops the rest.
    expect(sent).toBeLessThan(20_000_000)
  })

  test('is not sent once its endpoint is deleted', async () => {
    const { endpoint } = await makeEndpoint(world.ctx, shop, receiver.url)
    receiver.answer = (reply) => reply.writeHead(500).end()
    relay()
    const event = await makeEvent(world.ctx, shop)
    await attemptsOn(endpoint, event, 1)
    await deleteEndpoint(world.ctx, systemActor('test'), shop, endpoint.id)
    world.ctx.clock.advance(6500)
    expect(await settled(endpoint, event)).toMatchObject({
      status: 'failed',
      attempts: 1,
      error: 'endpoint_off',
    })
    expect(receiver.received).toHaveLength(1)
  })
})

test('is signed with both secrets during a rotation, and afterwards with the new one alone', async () => {
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

test('endpoints that hang do not delay those that answer', async () => {
  const hanging = await makeReceiver(() => undefined)
  for (let count = 0; count < 5; count += 1) await makeEndpoint(world.ctx, shop, hanging.url)
  for (let count = 0; count < 5; count += 1) await makeEndpoint(world.ctx, shop, `${receiver.url}?${count}`)
  // No request ends before the test.
  relay({ timeoutMs: 60_000 })
  const events = await makeEvents(world.ctx, shop, 100)
  await expect.poll(() => receiver.received.length).toBe(5 * events.length)
  expect(hanging.received.length).toBeLessThanOrEqual(10)
  await hanging.close()
})

const change = (endpoint: Endpoint, to: Parameters<typeof changeEndpoint>[4]) =>
  changeEndpoint({ ...world.ctx, targets: anyTargets() }, systemActor('test'), shop, endpoint.id, to)

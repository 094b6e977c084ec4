import { type Fault, startFaultProxy } from '@muripo/testing/fault-proxy'
import { describe, expect } from 'vitest'
import { findDelivery } from '../../src/modules/webhooks/deliveries/store-deliveries.ts'
import { makeEndpoint, makeEvent, makeReceiver, makeRelay } from '../../src/modules/webhooks/factory.ts'
import { controlledTimeouts } from '../controlled-timeouts.ts'
import { test as base } from '../fixtures.ts'

const TIMEOUT_MS = 20_000

/** Faults of the connection, and whether the endpoint still receives the event. */
const stages: readonly (readonly [name: string, fault: Fault, isReceived: boolean])[] = [
  ['cut before a byte of the request', { cutAfter: { direction: 'up', bytes: 0 } }, false],
  ['cut within the head of the request', { cutAfter: { direction: 'up', bytes: 60 } }, false],
  ['cut within the body of the request', { cutAfter: { direction: 'up', bytes: 450 } }, false],
  ['cut before a byte of the answer', { cutAfter: { direction: 'down', bytes: 0 } }, true],
  ['cut within the head of the answer', { cutAfter: { direction: 'down', bytes: 20 } }, true],
  ['that swallows the request', { swallow: 'up' }, false],
  ['that swallows the answer', { swallow: 'down' }, true],
]
const harmless: readonly (readonly [name: string, fault: Fault])[] = [
  ['half closed by the receiver', { halfClose: true }],
  ['that is slow', { delayMs: 50 }],
  ['that brings each byte by itself', { sliceBytes: 1 }],
]

const test = base
  .extend('receiver', async ({ world: _before }, { onCleanup }) => {
    const receiver = await makeReceiver()
    onCleanup(() => receiver.close())
    return receiver
  })
  .extend('proxy', async ({ receiver }, { onCleanup }) => {
    const proxy = await startFaultProxy({ host: '127.0.0.1', port: Number(new URL(receiver.url).port) })
    onCleanup(() => proxy.close())
    return proxy
  })
  .extend('deliver', ({ world, shop, receiver, proxy }, { onCleanup }) => {
    const relay = makeRelay(world.ctx, { timeoutMs: TIMEOUT_MS })
    onCleanup(() => relay.stop())
    const timeouts = controlledTimeouts(TIMEOUT_MS)
    return async (fault: Fault) => {
      const url = receiver.url.replace(/:\d+\//, `:${proxy.port}/`)
      const { endpoint } = await makeEndpoint(world.ctx, shop, url)
      proxy.set(fault)
      const event = await makeEvent(world.ctx, shop)
      if (fault.swallow) {
        await expect.poll(() => proxy.swallowed).toBeGreaterThan(0)
        timeouts.expire(TIMEOUT_MS)
      }
      const now = () => findDelivery(world.ctx.db.kysely, endpoint.accountId, endpoint.id, event)
      return {
        event,
        status: async () => (await now())?.status,
        attempts: async () => (await now())?.attempts ?? 0,
      }
    }
  })

describe('[invariant] an event that is delivered over a faulty connection', () => {
  test.for(stages)(
    '%s is repeated under the same id, until it is accepted',
    async ([_name, fault, isReceived], { world, receiver, proxy, deliver }) => {
      const { event, status, attempts } = await deliver(fault)
      await expect.poll(attempts).toBe(1)
      expect(await status()).toBe('pending')
      expect(receiver.received).toHaveLength(isReceived ? 1 : 0)
      proxy.set({})
      world.ctx.clock.advance(6500)
      await expect.poll(status).toBe('delivered')
      expect(receiver.received.map(({ id }) => id)).toEqual(isReceived ? [event, event] : [event])
      expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    },
  )

  test.for(harmless)('%s is delivered once', async ([_name, fault], { receiver, deliver }) => {
    const { event, status } = await deliver(fault)
    await expect.poll(status).toBe('delivered')
    expect(receiver.received.map(({ id }) => id)).toEqual([event])
  })
})

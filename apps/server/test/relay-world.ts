import type { EventId } from '@muripo/contract/ids'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, expect, vi } from 'vitest'
import { findDelivery } from '../src/modules/webhooks/deliveries/store-deliveries.ts'
import type { Endpoint } from '../src/modules/webhooks/endpoints/store-endpoints.ts'
import {
  type MadeRelay,
  makeReceiver,
  makeRelay,
  type Received,
  type Receiver,
} from '../src/modules/webhooks/factory.ts'
import { makeWorld } from './world.ts'

/** A database of this file, with endpoint servers and relays that end with their test, and the records of deliveries. */
export async function relayWorld() {
  const world = await makeWorld()
  const relays: MadeRelay[] = []
  const endpointServers: Receiver[] = []
  afterEach(async () => {
    await Promise.all(relays.splice(0).map((each) => each.stop()))
    await Promise.all(endpointServers.splice(0).map((each) => each.close()))
    expect(world.errors.splice(0)).toEqual([])
  })
  afterAll(() => world.ctx.close())

  async function openReceiver(): Promise<Receiver> {
    const receiver = await makeReceiver()
    endpointServers.push(receiver)
    return receiver
  }

  function relay(options?: Parameters<typeof makeRelay>[1]): MadeRelay {
    const made = makeRelay(world.ctx, options)
    relays.push(made)
    return made
  }

  const deliveryOf = (endpoint: Endpoint, event: EventId) =>
    findDelivery(world.ctx.db.kysely, endpoint.accountId, endpoint.id, event)
  const settled = (endpoint: Endpoint, event: EventId) =>
    vi.waitUntil(async () => {
      const delivery = await deliveryOf(endpoint, event)
      return delivery?.status === 'pending' || delivery === null ? false : delivery
    }, 120_000)
  const attemptsOn = (endpoint: Endpoint, event: EventId, attempts: number) =>
    vi.waitUntil(async () => {
      const delivery = await deliveryOf(endpoint, event)
      return delivery?.attempts === attempts ? delivery : false
    }, 120_000)

  return { world, openReceiver, relay, deliveryOf, settled, attemptsOn }
}

/** The library reads this machine's clock, and the test's clock does not move: only the time is replaced. */
export function verified(secret: string, got: Received | undefined): unknown {
  if (!got) throw new Error('nothing came')
  vi.useFakeTimers({ toFake: ['Date'], now: Number(got.headers['webhook-timestamp']) * 1000 })
  try {
    return new Webhook(secret).verify(got.body, got.headers as Record<string, string>)
  } finally {
    vi.useRealTimers()
  }
}

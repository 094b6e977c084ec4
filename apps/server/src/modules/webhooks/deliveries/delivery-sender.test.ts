import { expect, test } from 'vitest'
import { relayWorld } from '../../../../test/relay-world.ts'
import { makeShop } from '../../../../test/world.ts'
import { anyTargets } from '../../../platform/outbound/targets.ts'
import { makeEndpoint, makeEvent } from '../factory.ts'
import { DeliverySender } from './delivery-sender.ts'
import { relayEvents } from './store-queue.ts'

const { world } = await relayWorld()

test('while the database is slow, a thousand outcomes wait in memory, and further requests keep their places', async () => {
  const { ctx } = world
  const shop = await makeShop(ctx)
  await makeEndpoint(ctx, shop, 'http://127.0.0.1:9/hooks')
  await makeEvent(ctx, shop)
  const { leased } = await relayEvents(ctx.db, 1, [], ctx.clock.now())
  const [delivery] = leased
  if (!delivery) throw new Error('the event is leased')
  const answer = { status: 204, headers: {}, body: Buffer.alloc(0), isCut: false }
  const sender = new DeliverySender(ctx, {
    targets: anyTargets(),
    post: async () => answer,
    close: async () => {},
  })
  const locked = await ctx.db.pool.connect()
  let ended = 0
  const send = () =>
    sender.send(delivery).then(() => {
      ended += 1
    })
  try {
    await locked.query('begin; lock table webhook_delivery_attempts')
    await Promise.all(Array.from({ length: 1000 }, send))
    expect(ended).toBe(1000)
    const more = send()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(ended).toBe(1000)
    await locked.query('commit')
    await more
    expect(ended).toBe(1001)
  } finally {
    locked.release(true)
  }
  await sender.drained()
})

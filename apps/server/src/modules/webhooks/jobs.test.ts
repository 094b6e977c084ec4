import { expect } from 'vitest'
import { test as base } from '../../../test/fixtures.ts'
import { systemActor } from '../../platform/audit/actor.ts'
import { uuidOf } from '../../platform/ids.ts'
import { sendTestEvent } from './deliveries/actions/send-on-request.ts'
import { deleteEndpoint } from './endpoints/actions/delete-endpoint.ts'
import { makeEndpoint, makeEvent, makeEvents, makeReceiver, makeRelay } from './factory.ts'
import { deleteOldEvents } from './jobs.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const test = base.extend(
  'idsOf',
  ({ world }) =>
    async (table: string, column: string): Promise<string[]> =>
      (await world.ctx.db.pool.query(`select distinct ${column} as id from ${table} order by 1`)).rows.map(
        ({ id }) => id,
      ),
)

test('events are deleted after thirty days with their deliveries, and not before', async ({
  world,
  shop,
  idsOf,
}) => {
  const receiver = await makeReceiver()
  const { endpoint } = await makeEndpoint(world.ctx, shop, receiver.url)
  // The database uses its own clock only.
  world.ctx.clock.advance(Date.now() - 31 * DAY_MS - world.ctx.clock.now().getTime())
  const old = await makeEvents(world.ctx, shop, 700)
  world.ctx.clock.advance(2 * DAY_MS)
  const young = await makeEvent(world.ctx, shop)
  const { event } = await sendTestEvent(world.ctx, shop, endpoint.id)
  const relay = makeRelay(world.ctx)
  const stored = [uuidOf(young), uuidOf(event.id)].toSorted()
  await expect
    .poll(async () => (await idsOf('webhook_delivery_attempts', 'event_id')).length)
    .toBe(old.length + 2)
  await relay.stop()
  await receiver.close()

  world.ctx.clock.advance(29 * DAY_MS)
  await deleteOldEvents(world.ctx)
  expect((await idsOf('events', 'id')).toSorted()).toEqual(stored)
  expect((await idsOf('webhook_deliveries', 'event_id')).toSorted()).toEqual(stored)
  expect((await idsOf('webhook_delivery_attempts', 'event_id')).toSorted()).toEqual(stored)
})

test('a deleted endpoint is removed with its last delivery', async ({ world, shop, idsOf }) => {
  const { endpoint } = await makeEndpoint(world.ctx, shop, 'http://127.0.0.1:9/')
  const listed = async () => (await idsOf('webhook_endpoints', 'id')).includes(uuidOf(endpoint.id))
  await deleteEndpoint(world.ctx, systemActor('test'), shop, endpoint.id)
  world.ctx.clock.advance(30 * DAY_MS)
  await deleteOldEvents(world.ctx)
  expect(await listed()).toBe(true)
  world.ctx.clock.advance(1)
  await deleteOldEvents(world.ctx)
  expect(await listed()).toBe(false)
})

test('the database refuses the deletion of a younger event, and any change', async ({ world, shop }) => {
  const { pool } = world.ctx.db
  world.ctx.clock.advance(Date.now() - world.ctx.clock.now().getTime())
  const id = uuidOf(await makeEvent(world.ctx, shop))
  await expect(pool.query('delete from events where id = $1', [id])).rejects.toThrow('kept for 30 days')
  await expect(pool.query('update events set sequence = 7 where id = $1', [id])).rejects.toThrow()
  await expect(pool.query('truncate events')).rejects.toThrow()
})

import { CallbackId } from '@muripo/contract/ids'
import { expect } from 'vitest'
import { deleteOldCallbacks } from '../src/modules/providers/jobs.ts'
import { makeEndpoint } from '../src/modules/webhooks/factory.ts'
import { deleteOldEvents } from '../src/modules/webhooks/jobs.ts'
import { uuidOf } from '../src/platform/ids.ts'
import { test } from './fixtures.ts'

/** Each payment has an event with its delivery, and a callback. */
const CREATES_PER_SECOND = 500
const ROWS = 20_000

async function rowsPerSecond(work: () => Promise<void>): Promise<number> {
  const since = performance.now()
  await work()
  return (ROWS * 1000) / (performance.now() - since)
}

test('one process deletes expired events and callbacks faster than 500 creates a second add them', async ({
  world,
  shop,
}) => {
  const { endpoint } = await makeEndpoint(world.ctx, shop, 'http://127.0.0.1:9/')
  const { pool } = world.ctx.db
  const account = uuidOf(shop.accountId)
  await pool.query(
    `insert into events (account_id, id, application_id, type, subject_id, sequence, data, created_at)
     select $1, gen_random_uuid(), $2, 'payment.completed', gen_random_uuid(), 1, jsonb_build_object('text', repeat('x', 600)),
       now() - interval '31 days' from generate_series(1, $3)`,
    [account, uuidOf(shop.applicationId), ROWS],
  )
  await pool.query('truncate events_to_relay')
  await pool.query(
    `insert into webhook_deliveries (account_id, event_id, endpoint_id, status, attempts, created_at)
     select account_id, id, $1, 'delivered', 1, created_at from events`,
    [uuidOf(endpoint.id)],
  )
  const { ids, clock } = world.ctx
  await pool.query(
    `insert into provider_callbacks (id, provider, token, headers, body, received_at, next_attempt_at, processed_at, result)
     select id, 'scripted', 'token', '{}', convert_to(id::text, 'UTF8'), $2, $2, $2, 'applied' from unnest($1::uuid[]) as id`,
    [Array.from({ length: ROWS }, () => uuidOf(ids.next(CallbackId))), clock.now()],
  )
  clock.advance(Date.now() - clock.now().getTime() + 31 * 24 * 3_600_000)
  const left = async (table: string): Promise<number> =>
    Number((await world.ctx.db.pool.query(`select count(*) as count from ${table}`)).rows[0].count)

  const events = await rowsPerSecond(() => deleteOldEvents(world.ctx))
  const callbacks = await rowsPerSecond(() => deleteOldCallbacks(world.ctx))
  expect(await left('events')).toBe(0)
  expect(await left('webhook_deliveries')).toBe(0)
  expect(await left('provider_callbacks')).toBe(0)
  expect(1 / (1 / events + 1 / callbacks)).toBeGreaterThan(CREATES_PER_SECOND)
}, 240_000)

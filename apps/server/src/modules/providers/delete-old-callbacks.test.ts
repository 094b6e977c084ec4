import { CallbackId } from '@muripo/contract/ids'
import { expect } from 'vitest'
import { test as base } from '../../../test/fixtures.ts'
import { coordinatorOf } from '../../platform/db/databases.ts'
import { uuidOf } from '../../platform/ids.ts'
import { deleteOldCallbacks } from './jobs.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const test = base.extend('scene', ({ world }) => {
  /** Callbacks that are received now and handled so many days later, or not at all. */
  const keep = (token: string, daysLater: number | null, count = 1) => {
    const { ids, clock } = world.ctx
    const now = clock.now()
    return world.ctx.db.pool.query(
      `insert into provider_callbacks (id, provider, token, headers, body, received_at, next_attempt_at, processed_at, result)
     select id, 'scripted', $2, '{}', convert_to(id::text, 'UTF8'), $3, $3, $4::timestamptz, case when $4::timestamptz is not null then 'applied' end from unnest($1::uuid[]) as id`,
      [
        Array.from({ length: count }, () => uuidOf(ids.next(CallbackId))),
        token,
        now,
        daysLater === null ? null : new Date(now.getTime() + daysLater * DAY_MS),
      ],
    )
  }
  const left = async () => {
    const { rows } = await world.ctx.db.pool.query(
      'select distinct token from provider_callbacks order by token',
    )
    return rows.map(({ token }) => token)
  }
  return { keep, left }
})

test('a callback that was processed 30 days ago is deleted, and nothing else is', async ({
  world,
  scene: { keep, left },
}) => {
  await keep('at once', 0, 1201)
  await keep('after two days', 2)
  await keep('still waiting', null)
  world.ctx.clock.advance(DAY_MS)
  await keep('a day later', 0)
  world.ctx.clock.advance(29 * DAY_MS)
  await deleteOldCallbacks(coordinatorOf(world.ctx))
  expect(await left()).toEqual(['a day later', 'after two days', 'at once', 'still waiting'])
  world.ctx.clock.advance(1)
  await deleteOldCallbacks(coordinatorOf(world.ctx))
  expect(await left()).toEqual(['a day later', 'after two days', 'still waiting'])
  world.ctx.clock.advance(DAY_MS)
  await deleteOldCallbacks(coordinatorOf(world.ctx))
  expect(await left()).toEqual(['after two days', 'still waiting'])
  world.ctx.clock.advance(365 * DAY_MS)
  await deleteOldCallbacks(coordinatorOf(world.ctx))
  expect(await left()).toEqual(['still waiting'])
})

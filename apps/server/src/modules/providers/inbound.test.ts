import { CallbackId } from '@muripo/contract/ids'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeWorld, type World } from '../../../test/world.ts'
import { retryCallbacks } from './inbound.ts'
import { insertCallback } from './store.ts'

let world: World

beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.ctx.close())
beforeEach(async () => {
  world.errors.length = 0
  await world.ctx.db.pool.query('delete from provider_callbacks')
})

const keep = (token: string) =>
  insertCallback(world.ctx.db, {
    id: world.ctx.ids.next(CallbackId),
    provider: 'scripted',
    token,
    headers: {},
    body: Buffer.alloc(0),
    receivedAt: world.ctx.clock.now(),
  })

async function results(): Promise<Record<string, string | null>> {
  const { rows } = await world.ctx.db.pool.query('select token, result from provider_callbacks')
  return Object.fromEntries(rows.map(({ token, result }) => [token, result]))
}

async function retry(act: (token: string) => Promise<boolean>): Promise<string[]> {
  const seen: string[] = []
  await retryCallbacks(world.ctx, (_provider, token) => {
    seen.push(token)
    return act(token)
  })
  return seen
}

test('a callback that is just being gone through is left alone', async () => {
  await keep('fresh')
  world.ctx.clock.advance(60_000)
  expect(await retry(async () => true)).toEqual([])
  world.ctx.clock.advance(1)
  expect(await retry(async () => true)).toEqual(['fresh'])
})

test('one that cannot be gone through does not keep the others waiting, and comes up again', async () => {
  for (const token of ['first', 'broken', 'last']) {
    await keep(token)
    world.ctx.clock.advance(1)
  }
  world.ctx.clock.advance(60_000)
  const act = async (token: string) => {
    if (token === 'broken') throw new Error('there is no such connector any more')
    return token === 'first'
  }
  expect(await retry(act)).toEqual(['first', 'broken', 'last'])
  expect(await results()).toEqual({ first: 'applied', broken: null, last: 'unmatched' })
  expect(world.errors).toEqual(['a kept callback could not be gone through'])
  expect(await retry(act)).toEqual(['broken'])
})

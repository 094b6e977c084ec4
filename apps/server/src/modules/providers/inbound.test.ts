import { CallbackId } from '@muripo/contract/ids'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeWorld, type World } from '../../../test/world.ts'
import { retryCallbacks } from './inbound.ts'
import { insertCallback } from './store.ts'

const MINUTE = 60_000

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
  insertCallback(
    world.ctx.db,
    { id: world.ctx.ids.next(CallbackId), provider: 'scripted', token, headers: {}, body: Buffer.alloc(0) },
    MINUTE,
  )

async function results(): Promise<Record<string, string | null>> {
  const { rows } = await world.ctx.db.pool.query('select token, result from provider_callbacks')
  return Object.fromEntries(rows.map(({ token, result }) => [token, result]))
}

async function retry(act: (token: string) => Promise<boolean>): Promise<string[]> {
  const seen: string[] = []
  const { gone } = await retryCallbacks(world.ctx, world.ctx.inflight, (_provider, token) => {
    seen.push(token)
    return act(token)
  })
  await gone
  return seen.sort()
}

test('a callback that is just being gone through is left alone', async () => {
  await keep('fresh')
  world.ctx.clock.advance(MINUTE - 1)
  expect(await retry(async () => true)).toEqual([])
  world.ctx.clock.advance(1)
  expect(await retry(async () => true)).toEqual(['fresh'])
})

test('one that cannot be gone through does not keep the others waiting, and comes up again', async () => {
  for (const token of ['first', 'broken', 'last']) {
    await keep(token)
    world.ctx.clock.advance(1)
  }
  world.ctx.clock.advance(MINUTE)
  const act = async (token: string) => {
    if (token === 'broken') throw new Error('there is no such connector any more')
    return token === 'first'
  }
  expect(await retry(act)).toEqual(['broken', 'first', 'last'])
  expect(await results()).toEqual({ first: 'applied', broken: null, last: 'unmatched' })
  expect(world.errors).toEqual(['background work failed'])
  expect(await retry(act)).toEqual([])
  world.ctx.clock.advance(MINUTE)
  expect(await retry(act)).toEqual(['broken'])
})

test('however many cannot be gone through, those behind them have their turn', async () => {
  for (let nth = 0; nth < 50; nth += 1) await keep(`broken-${nth}`)
  world.ctx.clock.advance(1)
  await keep('last')
  world.ctx.clock.advance(MINUTE)
  const act = async (token: string) => {
    if (token !== 'last') throw new Error('never')
    return true
  }
  const rounds = [await retry(act), await retry(act), await retry(act)]
  expect(new Set(rounds.flat()).size).toBe(51)
  expect((await results()).last).toBe('applied')
})

test('one that hangs keeps no other waiting, is not taken twice meanwhile, and a stop waits for it', async () => {
  await keep('hangs')
  world.ctx.clock.advance(MINUTE)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const seen: string[] = []
  const round = () =>
    retryCallbacks(world.ctx, world.ctx.inflight, async (_provider, token) => {
      seen.push(token)
      return token === 'hangs' ? promise : true
    })
  await round()
  await keep('next')
  await round()
  expect(seen).toEqual(['hangs'])
  world.ctx.clock.advance(MINUTE - 1)
  await round()
  world.ctx.clock.advance(1)
  const { gone } = await round()
  void gone
  await expect.poll(async () => (await results()).next).toBe('applied')
  const drained = world.ctx.inflight.drain()
  resolve(true)
  await drained
  expect(await results()).toEqual({ hangs: 'applied', next: 'applied' })
})

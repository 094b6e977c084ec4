import type { IncomingHttpHeaders } from 'node:http'
import { CallbackId } from '@muripo/contract/ids'
import Fastify from 'fastify'
import { expect } from 'vitest'
import { test as base } from '../../../test/fixtures.ts'
import { coordinatorOf } from '../../platform/db/databases.ts'
import { type CallbackOutcome, FINALITY_MS, mountCallbacks, retryCallbacks } from './inbound.ts'
import { registryOf } from './registry.ts'
import { finishCallback, insertCallback } from './store.ts'

const MINUTE = 60_000

const test = base.extend('scene', async ({ world }) => {
  world.errors.length = 0
  await world.ctx.db.pool.query('delete from provider_callbacks')
  /** The callbacks that an operator has to review. */
  const unanswered: string[] = []
  const onUnanswered = async (_provider: string, token: string) => void unanswered.push(token)
  const keep = (token: string, body = '') =>
    insertCallback(
      coordinatorOf(world.ctx).db,
      {
        id: world.ctx.ids.next(CallbackId),
        provider: 'scripted',
        token,
        headers: {},
        body: Buffer.from(body),
      },
      MINUTE,
    )
  async function results(): Promise<Record<string, string | null>> {
    const { rows } = await world.ctx.db.pool.query('select token, result from provider_callbacks')
    return Object.fromEntries(rows.map(({ token, result }) => [token, result]))
  }
  async function retry(act: (token: string) => Promise<CallbackOutcome>): Promise<string[]> {
    const seen: string[] = []
    const { gone } = await retryCallbacks(coordinatorOf(world.ctx), world.ctx.backgroundTasks, {
      onCallback(_provider, token) {
        seen.push(token)
        return act(token)
      },
      onUnanswered,
    })
    await gone
    return seen.sort()
  }
  return { unanswered, onUnanswered, keep, results, retry }
})

test('a callback in progress is left alone', async ({ world, scene }) => {
  await scene.keep('fresh')
  world.ctx.clock.advance(MINUTE - 1)
  expect(await scene.retry(async () => 'done')).toEqual([])
  world.ctx.clock.advance(1)
  expect(await scene.retry(async () => 'done')).toEqual(['fresh'])
})

test('one that cannot be processed delays no other, and is processed again', async ({ world, scene }) => {
  for (const token of ['first', 'broken', 'last']) {
    await scene.keep(token)
    world.ctx.clock.advance(1)
  }
  world.ctx.clock.advance(MINUTE)
  const act = async (token: string): Promise<CallbackOutcome> => {
    if (token === 'broken') throw new Error('there is no such connector any more')
    return token === 'first' ? 'done' : 'unknown token'
  }
  expect(await scene.retry(act)).toEqual(['broken', 'first', 'last'])
  expect(await scene.results()).toEqual({ first: 'applied', broken: null, last: 'unmatched' })
  expect(world.errors).toEqual(['background work failed'])
  expect(await scene.retry(act)).toEqual([])
  world.ctx.clock.advance(MINUTE)
  expect(await scene.retry(act)).toEqual(['broken'])
})

test('however many cannot be processed, those behind them are processed', async ({ world, scene }) => {
  for (let nth = 0; nth < 50; nth += 1) await scene.keep(`broken-${nth}`)
  world.ctx.clock.advance(1)
  await scene.keep('last')
  world.ctx.clock.advance(MINUTE)
  const act = async (token: string): Promise<CallbackOutcome> => {
    if (token !== 'last') throw new Error('never')
    return 'done'
  }
  const rounds = [await scene.retry(act), await scene.retry(act), await scene.retry(act)]
  expect(new Set(rounds.flat()).size).toBe(51)
  expect((await scene.results()).last).toBe('applied')
})

test('one that hangs delays no other, is not taken twice meanwhile, and a stop waits for it', async ({
  world,
  scene,
}) => {
  await scene.keep('hangs')
  world.ctx.clock.advance(MINUTE)
  const { promise, resolve } = Promise.withResolvers<CallbackOutcome>()
  const seen: string[] = []
  const round = () =>
    retryCallbacks(coordinatorOf(world.ctx), world.ctx.backgroundTasks, {
      async onCallback(_provider, token) {
        seen.push(token)
        return token === 'hangs' ? promise : 'done'
      },
      onUnanswered: scene.onUnanswered,
    })
  await round()
  await scene.keep('next')
  await round()
  expect(seen).toEqual(['hangs'])
  world.ctx.clock.advance(MINUTE - 1)
  await round()
  world.ctx.clock.advance(1)
  const { gone } = await round()
  void gone
  await expect.poll(async () => (await scene.results()).next).toBe('applied')
  const drained = world.ctx.backgroundTasks.drain()
  resolve('done')
  await drained
  expect(await scene.results()).toEqual({ hangs: 'applied', next: 'applied' })
})

test('a callback whose provider cannot be reached is retried after growing pauses, and is listed for an operator after 72 hours', async ({
  world,
  scene,
}) => {
  await scene.keep('late')
  const began = world.ctx.clock.now().getTime()
  const ages: number[] = []
  while ((await scene.results()).late === null && ages.length < 100) {
    const { rows } = await world.ctx.db.pool.query('select next_attempt_at from provider_callbacks')
    world.ctx.clock.advance(rows[0].next_attempt_at - world.ctx.clock.now().getTime())
    expect(await scene.retry(async () => 'again')).toEqual(['late'])
    ages.push(world.ctx.clock.now().getTime() - began)
  }
  expect(ages.length).toBeGreaterThan(15)
  expect(ages.length).toBeLessThan(40)
  expect(ages[0]).toBe(MINUTE)
  const pauses = ages.map((age, nth) => age - (ages[nth - 1] ?? 0))
  expect(pauses.slice(0, -1).every((pause, nth) => nth === 0 || pause >= (pauses[nth - 1] ?? 0))).toBe(true)
  expect(ages.at(-1)).toBe(FINALITY_MS)
  expect(scene.unanswered).toEqual(['late'])
  expect(await scene.results()).toEqual({ late: 'unanswered' })
})

test('one that fails because of an internal error is listed for an operator in the end, and is not retried for ever', async ({
  world,
  scene,
}) => {
  await scene.keep('broken')
  const act = async () => Promise.reject(new Error('an error'))
  for (let hours = 0; hours < 80; hours += 1) {
    world.ctx.clock.advance(60 * MINUTE)
    await scene.retry(act)
  }
  expect(scene.unanswered).toEqual(['broken'])
  expect(await scene.results()).toEqual({ broken: 'unanswered' })
})

test('copies of a callback are one row and are counted; one opens it again a minute after it was processed', async ({
  world,
  scene,
}) => {
  expect(await scene.keep('t', 'PAID')).not.toBeNull()
  world.ctx.clock.advance(1)
  const copies = await Promise.all(Array.from({ length: 8 }, () => scene.keep('t', 'PAID')))
  expect(copies.filter((copy) => copy !== null)).toEqual([])
  const stored = async () =>
    (
      await world.ctx.db.pool.query(
        'select copies, result from provider_callbacks order by received_at, body',
      )
    ).rows
  expect(await stored()).toEqual([{ copies: 9, result: null }])
  world.ctx.clock.advance(MINUTE)
  await scene.retry(async () => 'done')
  world.ctx.clock.advance(MINUTE - 1)
  expect(await scene.keep('t', 'PAID')).toBeNull()
  expect(await stored()).toEqual([{ copies: 10, result: 'applied' }])
  world.ctx.clock.advance(1)
  expect(await scene.keep('t', 'PAID')).not.toBeNull()
  expect(await stored()).toEqual([{ copies: 11, result: null }])
  expect(await scene.keep('t', 'REVERSED')).not.toBeNull()
  expect(await stored()).toHaveLength(2)
})

test('of many callbacks at once each is begun once, and their copies are counted', async ({
  world,
  scene,
}) => {
  const begun = await Promise.all(
    Array.from({ length: 60 }, (_, nth) => scene.keep(`${nth % 20}`, `${nth % 40}`)),
  )
  expect(begun.map((each, nth) => each !== null && each.token === `${nth % 20}`)).toEqual(
    Array.from({ length: 60 }, (_, nth) => nth < 40),
  )
  const { rows } = await world.ctx.db.pool.query(
    'select copies, count(*)::int as callbacks from provider_callbacks group by copies order by copies',
  )
  expect(rows).toEqual([
    { copies: 1, callbacks: 20 },
    { copies: 2, callbacks: 20 },
  ])
  const writers = begun.map((each) => each && finishCallback(coordinatorOf(world.ctx).db, each.id, 'applied'))
  await Promise.all([...writers, scene.keep('0', '0'), scene.keep('1', '1')])
  expect(new Set(Object.values(await scene.results()))).toEqual(new Set(['applied']))
})

test('a copy of a callback that was postponed is processed at once, and a second copy is not', async ({
  world,
  scene,
}) => {
  await scene.keep('late')
  for (let minute = 0; minute < 10; minute += 1) {
    world.ctx.clock.advance(MINUTE)
    await scene.retry(async () => 'again')
  }
  expect(await scene.keep('late')).toMatchObject({ token: 'late' })
  world.ctx.clock.advance(1)
  expect(await scene.keep('late')).toBeNull()
})

test('the database refuses a second row of the same provider, token and body', async ({ world }) => {
  const twice = `insert into provider_callbacks (id, provider, token, headers, body, received_at, next_attempt_at)
    select gen_random_uuid(), 'scripted', 'same', '{}', 'PAID', now(), now() from generate_series(1, 2)`
  await expect(world.ctx.db.pool.query(twice)).rejects.toMatchObject({ code: '23505' })
})

test('a callback that its provider certainly did not send is answered and not stored', async ({
  world,
  scene,
}) => {
  const isAuthentic = (headers: IncomingHttpHeaders) => headers['x-notification-secret'] !== 'wrong'
  const app = Fastify()
  const providers = registryOf([{ ...world.provider.connector, isAuthentic }])
  const seen: string[] = []
  mountCallbacks(app, coordinatorOf(world.ctx), providers, world.ctx.backgroundTasks, {
    recognises: () => true,
    onCallback: async (_provider, token) => {
      seen.push(token)
      return 'done'
    },
    onUnanswered: scene.onUnanswered,
  })
  const send = (token: string, headers: Record<string, string>) =>
    app.inject({ method: 'POST', url: `/callbacks/scripted/${token}`, headers })
  const answers = [
    await send('forged', { 'x-notification-secret': 'wrong' }),
    await send('real', { 'x-notification-secret': 'right' }),
    await send('plain', {}),
  ]
  expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
  await world.ctx.backgroundTasks.drain()
  expect(seen.sort()).toEqual(['plain', 'real'])
  expect(Object.keys(await scene.results()).sort()).toEqual(['plain', 'real'])
  await app.close()
})

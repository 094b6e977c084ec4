import { AccountId } from '@muripo/contract/ids'
import type { FastifyReply } from 'fastify'
import { expect } from 'vitest'
import { makeApp, makeCaller } from '../../../test/app.ts'
import { test as base } from '../../../test/fixtures.ts'
import { statementsOf } from '../../../test/statements.ts'
import { makeSession } from '../identity/factory.ts'
import { limitPerKey } from './authenticate.ts'
import { newKey } from './key.ts'
import { KeyCache } from './key-cache.ts'
import type { KeyOwner } from './store-keys.ts'

const test = base
  .extend('env', { scope: 'file' }, { RATE_LIMITS: '1' })
  .extend('keyCache', { scope: 'file' }, async ({ world }, { onCleanup }) => {
    const keyCache = new KeyCache()
    onCleanup(() => keyCache.close())
    await keyCache.connect(world.ctx, world.ctx.databaseUrl)
    return keyCache
  })
  /** A gateway whose counts start at zero, with the keys of the cache. */
  .extend('app', async ({ world, keyCache }, { onCleanup }) => {
    const app = await makeApp(world.ctx, keyCache)
    onCleanup(() => app.close())
    return app
  })
  .extend(
    'wrongKey',
    async ({ world }) =>
      () =>
        newKey(world.ctx.ids, 'test', world.ctx.ids.next(AccountId)),
  )

test('a key may call 1,000 times in ten seconds and reads the remaining quota; then it waits, and no other key does', async ({
  world,
  app,
}) => {
  const [wild, calm] = [await makeCaller(world.ctx), await makeCaller(world.ctx)]
  const call = (who = wild) => app.inject({ url: '/api/v1/payments/pay_none', headers: who.withKey })
  const first = await call()
  expect(first.headers).toMatchObject({
    'ratelimit-policy': '"key";q=1000;w=10, "merchant";q=3000;w=10',
    ratelimit: '"key";r=999;t=10, "merchant";r=2999;t=10',
  })
  for (let round = 0; round < 27; round += 1) await Promise.all(Array.from({ length: 37 }, () => call()))
  expect((await call()).statusCode).toBe(429)
  const refused = await call()
  expect(refused.headers).toMatchObject({
    'retry-after': '10',
    ratelimit: '"key";r=0;t=10, "merchant";r=2000;t=10',
  })
  expect(refused.json()).toMatchObject({
    code: 'rate_limited',
    detail: 'Please wait 10 seconds before you try again',
  })
  expect((await call(calm)).headers.ratelimit).toBe('"key";r=999;t=10, "merchant";r=2999;t=10')

  world.ctx.clock.advance(10_000)
  expect((await call()).headers.ratelimit).toBe('"key";r=999;t=10, "merchant";r=2999;t=10')
})

test('a call without a valid key is not counted, and reads no limits', async ({ app }) => {
  const { headers } = await app.inject({ url: '/api/v1/payments', headers: { authorization: 'Bearer no' } })
  expect(headers).not.toHaveProperty('ratelimit')
})

test('all keys of a merchant may call 3,000 times in ten seconds, and no other merchant waits', async ({
  world,
}) => {
  const calls = limitPerKey(world.ctx)
  const reply = { headers: () => reply } as unknown as FastifyReply
  const owner = (merchant: string, key: string) =>
    ({ accountId: merchant, keyId: key }) as unknown as KeyOwner
  for (const key of ['a', 'b', 'c']) for (let n = 0; n < 1000; n += 1) calls(owner('wild', key), reply)
  expect(() => calls(owner('wild', 'd'), reply)).toThrow(/Please wait 10 seconds/)
  calls(owner('calm', 'e'), reply)
})

test('an address that sends 60 unknown keys in a minute waits, before any query; a valid key that was used, and other addresses, do not', async ({
  world,
  app,
  client: caller,
  wrongKey,
}) => {
  const call = (key: string, remoteAddress = '203.0.113.7') =>
    app.inject({
      url: '/api/v1/payments/pay_none',
      headers: { authorization: `Bearer ${key}` },
      remoteAddress,
    })
  expect((await call(caller.applicationKey)).statusCode).toBe(404)
  for (let count = 0; count < 60; count += 1) expect((await call(wrongKey())).statusCode).toBe(401)
  const others = Array.from({ length: 30 }, wrongKey)
  const statements = await statementsOf(world.ctx, async () => {
    for (const key of others) expect((await call(key)).statusCode).toBe(429)
  })
  expect(statements).toEqual([])
  const refused = await call(wrongKey())
  expect(refused.headers['retry-after']).toBe('60')
  expect((await call('mk_test_0000')).statusCode).toBe(401)
  // Longer than the key cache stores an owner.
  world.ctx.clock.advance(6000)
  expect((await call(caller.applicationKey)).statusCode).toBe(404)
  expect((await call(wrongKey(), '203.0.114.8')).statusCode).toBe(401)
  for (let count = 0; count < 600; count += 1) await call(wrongKey(), `203.0.113.${10 + (count % 200)}`)
  expect((await call(wrongKey(), '203.0.113.250')).statusCode).toBe(429)
  expect((await call(caller.applicationKey, '203.0.113.250')).statusCode).toBe(404)
  world.ctx.clock.advance(60_000)
  expect((await call(wrongKey())).statusCode).toBe(401)
})

test('an unknown key that is repeated is counted and looked up once a minute', async ({
  world,
  app,
  wrongKey,
}) => {
  const call = (key: string) =>
    app.inject({
      url: '/api/v1/payments/pay_none',
      headers: { authorization: `Bearer ${key}` },
      remoteAddress: '203.0.115.9',
    })
  const [revoked, later] = [wrongKey(), wrongKey()]
  const together = await Promise.all(Array.from({ length: 30 }, () => call(revoked)))
  const repeated = await statementsOf(world.ctx, async () => {
    for (let count = 0; count < 61; count += 1) together.push(await call(revoked))
  })
  expect(new Set(together.map(({ statusCode }) => statusCode))).toEqual(new Set([401]))
  expect(repeated).toEqual([])
  for (let count = 0; count < 58; count += 1) expect((await call(wrongKey())).statusCode).toBe(401)
  expect((await call(later)).statusCode).toBe(401)
  expect((await call(wrongKey())).statusCode).toBe(429)
  world.ctx.clock.advance(60_000)
  expect((await statementsOf(world.ctx, () => call(later))).length).toBeGreaterThan(0)
})

test('a session may call 200 times in ten seconds, before any query to the database', async ({
  world,
  app,
}) => {
  const [wild, calm] = [await makeCaller(world.ctx), await makeCaller(world.ctx)]
  const call = (who = wild) => app.inject({ url: '/v1/account', headers: who.withSession })
  for (let round = 0; round < 10; round += 1) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => call()))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200))
  }
  const statements = await statementsOf(world.ctx, async () => {
    const refused = await call()
    expect(refused.statusCode).toBe(429)
    expect(refused.headers).toMatchObject({
      'retry-after': '10',
      ratelimit: '"session";r=0;t=10, "merchant";r=300;t=10',
    })
  })
  expect(statements).toEqual([])
  expect((await call(calm)).statusCode).toBe(200)
})

test('all sessions of one merchant may call 500 times in ten seconds', async ({ world, app }) => {
  const { merchantId } = await makeCaller(world.ctx)
  const sessions = await Promise.all(Array.from({ length: 4 }, () => makeSession(world.ctx, merchantId)))
  const call = (nth: number) =>
    app.inject({ url: '/v1/account', headers: { authorization: `Bearer ${sessions[nth % 4]?.authToken}` } })
  const statuses: number[] = []
  for (let sent = 0; sent < 504; sent += 36) {
    const answers = await Promise.all(Array.from({ length: 36 }, (_, nth) => call(nth)))
    statuses.push(...answers.map(({ statusCode }) => statusCode))
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(500)
  expect(statuses.filter((status) => status === 429)).toHaveLength(4)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeApp, makeCaller } from '../../../test/app.ts'
import { makeWorld, type World } from '../../../test/world.ts'

let world: World

beforeAll(async () => {
  world = await makeWorld({ RATE_LIMITS: '1' })
})
afterAll(() => world.ctx.close())

test('a key calls 1,000 times in ten seconds and is told what is left; then it waits, and no other key does', async () => {
  const app = await makeApp(world.ctx)
  const [wild, calm] = [await makeCaller(world.ctx), await makeCaller(world.ctx)]
  const call = (who = wild) => app.inject({ url: '/api/v1/payments/pay_none', headers: who.withKey })
  const first = await call()
  expect(first.headers).toMatchObject({
    'ratelimit-policy': '"key";q=1000;w=10',
    ratelimit: '"key";r=999;t=10',
  })
  for (let round = 0; round < 27; round += 1) await Promise.all(Array.from({ length: 37 }, () => call()))
  expect((await call()).statusCode).toBe(429)
  const refused = await call()
  expect(refused.headers).toMatchObject({ 'retry-after': '10', ratelimit: '"key";r=0;t=10' })
  expect(refused.json()).toMatchObject({
    code: 'rate_limited',
    detail: 'Please wait 10 seconds before you try again',
  })
  expect((await call(calm)).headers.ratelimit).toBe('"key";r=999;t=10')

  world.ctx.clock.advance(10_000)
  expect((await call()).headers.ratelimit).toBe('"key";r=999;t=10')
  await app.close()
})

test('who shows no key that works is not counted, and learns nothing of limits', async () => {
  const app = await makeApp(world.ctx)
  const { headers } = await app.inject({ url: '/api/v1/payments', headers: { authorization: 'Bearer no' } })
  expect(headers).not.toHaveProperty('ratelimit')
  await app.close()
})

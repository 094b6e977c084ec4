import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Caller, makeApp, makeCaller } from '../../../../test/app.ts'
import { auditEntriesOn, byMerchant } from '../../../../test/audit-entries.ts'
import { makeWorld, type World } from '../../../../test/world.ts'
import { makeMerchant } from '../../identity/factory.ts'
import { KeyCache } from '../key-cache.ts'
import { setApplicationStatus } from './set-application-status.ts'

let world: World
/** Two processes over one database, each with keys that it remembers. */
let here: FastifyInstance
let elsewhere: FastifyInstance
let caches: KeyCache[]
let caller: Caller

beforeAll(async () => {
  world = await makeWorld()
  caches = [new KeyCache(), new KeyCache()]
  for (const cache of caches) await cache.connect(world.ctx, world.ctx.databaseUrl)
  here = await makeApp(world.ctx, caches[0])
  elsewhere = await makeApp(world.ctx, caches[1])
})
beforeEach(async () => {
  caller = await makeCaller(world.ctx)
})
afterAll(async () => {
  for (const app of [here, elsewhere]) await app.close()
  for (const cache of caches) await cache.close()
  await world.ctx.close()
})

const set = (status: string, app = here) =>
  app.inject({
    method: 'PATCH',
    url: `/v1/applications/${caller.applicationId}/status`,
    headers: caller.withSession,
    payload: { status },
  })
const create = (app: FastifyInstance) =>
  app.inject({
    method: 'POST',
    url: '/api/v1/payments',
    headers: caller.withKey,
    payload: { amount: 12.5, currency: 'USD', description: 'Order 1001' },
  })
const list = (app: FastifyInstance) => app.inject({ url: '/api/v1/payments', headers: caller.withKey })

test('[APPS-19] the key of a stopped application is refused at once by every process, and taken again once it goes on', async () => {
  for (const app of [here, elsewhere]) expect((await create(app)).statusCode).toBe(201)

  const stopped = await set('inactive')
  expect(stopped.statusCode).toBe(200)
  expect(stopped.json()).toMatchObject({ _id: caller.applicationId, status: 'inactive' })
  for (const app of [here, elsewhere]) {
    // A new payment is refused by the very statement that would write it, whatever a process remembers.
    const refused = await create(app)
    expect(refused.statusCode).toBe(403)
    expect(refused.json().code).toBe('application_inactive')
    await expect.poll(async () => (await list(app)).statusCode, { interval: 5 }).toBe(403)
  }

  expect((await set('active')).json().status).toBe('active')
  for (const app of [here, elsewhere]) {
    await expect.poll(async () => (await create(app)).statusCode, { interval: 5 }).toBe(201)
  }
})

test('the same status again changes nothing and is not written down', async () => {
  await set('inactive')
  const first = (await set('inactive')).json()
  world.ctx.clock.advance(1000)
  const second = await set('inactive')
  expect(second.statusCode).toBe(200)
  expect(second.json()).toEqual(first)
  const auditEntries = await auditEntriesOn(world.ctx, caller.applicationId)
  expect(auditEntries).toMatchObject([
    {
      action: 'application.status_changed',
      actor: caller.merchantId,
      details: { from: 'active', to: 'inactive' },
    },
  ])
})

test('the log names the address and the request that stopped it', async () => {
  await here.inject({
    method: 'PATCH',
    url: `/v1/applications/${caller.applicationId}/status`,
    headers: { ...caller.withSession, 'x-request-id': 'stop-1' },
    remoteAddress: '203.0.113.9',
    payload: { status: 'inactive' },
  })
  expect(await auditEntriesOn(world.ctx, caller.applicationId)).toMatchObject([
    { address: '203.0.113.9', request_id: 'stop-1', actor_kind: 'merchant' },
  ])
})

test('ten calls at once leave one status, and as many lines as it changed', async () => {
  const wanted = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? 'inactive' : 'active'))
  const answers = await Promise.all(wanted.map((status) => set(status)))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(wanted.map(() => 200))
  const auditEntries = await auditEntriesOn(world.ctx, caller.applicationId)
  const steps = auditEntries.map(({ details }) => details as { from: string; to: string })
  expect(steps[0]?.from).toBe('active')
  for (const [index, step] of steps.entries())
    expect(step.from).toBe(index === 0 ? 'active' : steps[index - 1]?.to)
})

test.each([{ status: 'gone' }, {}, { status: 'inactive', because: 'x' }])(
  'refused as validation_failed: %j',
  async (payload) => {
    const answer = await here.inject({
      method: 'PATCH',
      url: `/v1/applications/${caller.applicationId}/status`,
      headers: caller.withSession,
      payload,
    })
    expect(answer.statusCode).toBe(422)
    expect(answer.json().code).toBe('validation_failed')
  },
)

test("a stranger's application cannot be stopped", async () => {
  const { merchantId } = await makeMerchant(world.ctx)
  const stop = setApplicationStatus(
    world.ctx,
    byMerchant(merchantId),
    merchantId,
    caller.applicationId,
    'inactive',
  )
  await expect(stop).rejects.toMatchObject({ code: 'not_found' })
  expect(await auditEntriesOn(world.ctx, caller.applicationId)).toEqual([])
})

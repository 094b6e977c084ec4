import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import { makeApp } from '../../../../test/app.ts'
import { auditEntriesOn, byMerchant } from '../../../../test/audit-entries.ts'
import { test as base } from '../../../../test/fixtures.ts'
import { makeMerchant } from '../../identity/factory.ts'
import { KeyCache } from '../key-cache.ts'
import { setApplicationStatus } from './set-application-status.ts'

const test = base
  .extend('caches', { scope: 'file' }, async ({ world }, { onCleanup }) => {
    const caches = [new KeyCache(), new KeyCache()]
    onCleanup(async () => {
      for (const cache of caches) await cache.close()
    })
    for (const cache of caches) await cache.connect(world.ctx, world.ctx.databaseUrl)
    return caches
  })
  /** Two processes on one database, each with a cache of keys. */
  .extend('processes', { scope: 'file' }, async ({ world, caches }, { onCleanup }) => {
    const processes = await Promise.all(caches.map((cache) => makeApp(world.ctx, cache)))
    onCleanup(async () => {
      for (const each of processes) await each.close()
    })
    return processes
  })
  .extend('here', async ({ processes: [here] }) => here as FastifyInstance)
  .extend(
    'set',
    async ({ here, client }) =>
      (status: string) =>
        here.inject({
          method: 'PATCH',
          url: `/v1/applications/${client.applicationId}/status`,
          headers: client.withSession,
          payload: { status },
        }),
  )
  .extend(
    'create',
    async ({ client }) =>
      (app: FastifyInstance) =>
        app.inject({
          method: 'POST',
          url: '/api/v1/payments',
          headers: client.withKey,
          payload: { amount: 12.5, currency: 'USD', description: 'Order 1001' },
        }),
  )
  .extend(
    'list',
    async ({ client }) =>
      (app: FastifyInstance) =>
        app.inject({ url: '/api/v1/payments', headers: client.withKey }),
  )

test('[APPS-19] every process refuses the key of a stopped application immediately, and accepts it again after the activation', async ({
  processes,
  client,
  set,
  create,
  list,
}) => {
  for (const app of processes) expect((await create(app)).statusCode).toBe(201)

  const stopped = await set('inactive')
  expect(stopped.statusCode).toBe(200)
  expect(stopped.json()).toMatchObject({ _id: client.applicationId, status: 'inactive' })
  for (const app of processes) {
    // The statement that inserts a payment refuses it, whatever a process has cached.
    const refused = await create(app)
    expect(refused.statusCode).toBe(403)
    expect(refused.json().code).toBe('application_inactive')
    await expect.poll(async () => (await list(app)).statusCode, { interval: 5 }).toBe(403)
  }

  expect((await set('active')).json().status).toBe('active')
  for (const app of processes) {
    await expect.poll(async () => (await create(app)).statusCode, { interval: 5 }).toBe(201)
  }
})

test('the same status again changes nothing and is not audited', async ({ world, client, set }) => {
  await set('inactive')
  const first = (await set('inactive')).json()
  world.ctx.clock.advance(1000)
  const second = await set('inactive')
  expect(second.statusCode).toBe(200)
  expect(second.json()).toEqual(first)
  const auditEntries = await auditEntriesOn(world.ctx, client.applicationId)
  expect(auditEntries).toMatchObject([
    {
      action: 'application.status_changed',
      actor: client.merchantId,
      details: { from: 'active', to: 'inactive' },
    },
  ])
})

test('the log names the address and the request that stopped an application', async ({
  world,
  here,
  client,
}) => {
  await here.inject({
    method: 'PATCH',
    url: `/v1/applications/${client.applicationId}/status`,
    headers: { ...client.withSession, 'x-request-id': 'stop-1' },
    remoteAddress: '203.0.113.9',
    payload: { status: 'inactive' },
  })
  expect(await auditEntriesOn(world.ctx, client.applicationId)).toMatchObject([
    { address: '203.0.113.9', request_id: 'caller:stop-1', actor_kind: 'merchant' },
  ])
})

test('ten concurrent calls leave one status, and one audit entry for each change', async ({
  world,
  client,
  set,
}) => {
  const statuses = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? 'inactive' : 'active'))
  const answers = await Promise.all(statuses.map((status) => set(status)))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(statuses.map(() => 200))
  const auditEntries = await auditEntriesOn(world.ctx, client.applicationId)
  const steps = auditEntries.map(({ details }) => details as { from: string; to: string })
  expect(steps[0]?.from).toBe('active')
  for (const [index, step] of steps.entries())
    expect(step.from).toBe(index === 0 ? 'active' : steps[index - 1]?.to)
})

test.for([{ status: 'gone' }, {}, { status: 'inactive', because: 'x' }])(
  'refused as validation_failed: %j',
  async (payload, { here, client }) => {
    const answer = await here.inject({
      method: 'PATCH',
      url: `/v1/applications/${client.applicationId}/status`,
      headers: client.withSession,
      payload,
    })
    expect(answer.statusCode).toBe(422)
    expect(answer.json().code).toBe('validation_failed')
  },
)

test("another merchant's application cannot be stopped", async ({ world, client }) => {
  const { merchantId } = await makeMerchant(world.ctx)
  const stop = setApplicationStatus(
    world.ctx,
    byMerchant(merchantId),
    merchantId,
    client.applicationId,
    'inactive',
  )
  await expect(stop).rejects.toMatchObject({ code: 'not_found' })
  expect(await auditEntriesOn(world.ctx, client.applicationId)).toEqual([])
})

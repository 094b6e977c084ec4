import type { RouteSpec } from '@muripo/contract/route'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestCtx, testCtx } from '../../../test/test-ctx.ts'
import { parseConfig } from '../config.ts'
import type { Tx } from '../db/database.ts'
import { QueueFull } from '../db/failures.ts'
import { createLog } from '../log.ts'
import { createHttp } from './server.ts'

let app: FastifyInstance
let db: TestCtx['db']
let close: () => Promise<void>

beforeAll(async () => {
  const ctx = await testCtx()
  db = ctx.db
  close = ctx.close
  app = createHttp(parseConfig({}), createLog('silent'))
  app.get('/failing/:code', ({ params }) => {
    const { code } = params as { code: string }
    throw Object.assign(new Error('refused'), { code })
  })
  app.route({
    method: ['GET', 'POST'],
    url: '/queue-full',
    // A route whose contract does not list the code.
    config: { spec: { errors: [] } as unknown as RouteSpec },
    handler: () => {
      throw new QueueFull()
    },
  })
  app.post('/things', async ({ body }) => ({ body }))
  app.get('/things/:id', async ({ params, query }) => ({ params, query }))
  app.post('/things/:id/refunds', async ({ params }) => ({ params }))
  app.post('/queue-full-in-a-hook', { onRequest: () => Promise.reject(new QueueFull()) }, async () => 'done')
  app.route({
    method: ['GET', 'POST'],
    url: '/queue-full-behind-a-commit/:transaction',
    handler: async ({ params }) => {
      const { transaction } = params as { transaction: 'tx' | 'statement' }
      const work = async (tx: Tx) => sql`select 1`.execute(tx)
      await (transaction === 'tx'
        ? db.tx(work)
        : db.commitStatement({ name: 'one', text: 'select 1', values: [] }))
      throw new QueueFull()
    },
  })
  app.post('/queue-full-behind-a-rollback', async () => {
    const undone = db.tx(async () => {
      throw new Error('refused')
    })
    await undone.catch(() => undefined)
    throw new QueueFull()
  })
})
afterAll(async () => {
  await app.close()
  await close()
})

test.each(['40P01', '40001', '55P03', '57014', '57P01', 'ETIMEDOUT', 'ENOTFOUND'])(
  'a database error %s makes the service unavailable for a moment',
  async (code) => {
    const answer = await app.inject(`/failing/${code}`)
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1'])
    expect(answer.json()).toMatchObject({ code: 'service_unavailable' })
  },
)

test.each([
  ['a read', 'GET', '/queue-full', 'overloaded'],
  ['a read behind another transaction', 'GET', '/queue-full-behind-a-commit/tx', 'overloaded'],
  ['a write', 'POST', '/queue-full', 'overloaded'],
  ['a write before its handler', 'POST', '/queue-full-in-a-hook', 'overloaded'],
  ['a write whose transaction was rolled back', 'POST', '/queue-full-behind-a-rollback', 'overloaded'],
  ['a write that has changed something', 'POST', '/queue-full-behind-a-commit/tx', 'service_unavailable'],
  [
    'a write that has changed something in one statement',
    'POST',
    '/queue-full-behind-a-commit/statement',
    'service_unavailable',
  ],
] as const)('the queue of the database refuses %s', async (_what, method, url, code) => {
  const refused = await app.inject({ method, url })
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1'])
  expect(refused.json()).toMatchObject({ code })
})

test('an internal error is answered without detail', async () => {
  const answer = await app.inject('/failing/23505')
  expect(answer.statusCode).toBe(500)
  expect(answer.json()).toMatchObject({ code: 'internal_error' })
  expect(answer.body).not.toContain('refused')
})

test.each([
  ['POST', '/things/', 200],
  ['POST', '/things', 200],
  ['GET', '/things/1/', 200],
  ['GET', '/things/1/?a=1', 200],
  ['GET', '/things', 405],
  ['GET', '/things/', 405],
  ['POST', '/things//refunds', 404],
  ['GET', '/things//refunds', 404],
  ['GET', '/things//', 404],
  ['POST', '/things//', 404],
  ['POST', '//things', 404],
  ['POST', '/things/1//refunds', 404],
  ['POST', '/things/1/refunds//', 404],
] as const)('%s %s is answered %i', async (method, url, status) => {
  const answer = await app.inject({ method, url, ...(method === 'POST' && { payload: {} }) })
  expect([answer.statusCode, answer.headers.allow]).toEqual([status, status === 405 ? 'POST' : undefined])
})

test.each([
  ['2,048 bytes', `a=${'x'.repeat(2046)}`, 200],
  ['2,049 bytes', `a=${'x'.repeat(2047)}`, 414],
  ['50 names', Array.from({ length: 50 }, (_, nth) => `n${nth}=1`).join('&'), 200],
  ['51 names', Array.from({ length: 51 }, (_, nth) => `n${nth}=1`).join('&'), 414],
  ['7,500 empty names', '&'.repeat(7500), 414],
] as const)('a query of %s is answered %s', async (_what, query, status) => {
  const answer = await app.inject(`/things/1?${query}`)
  expect(answer.statusCode).toBe(status)
  if (status === 414) expect(answer.json()).toMatchObject({ code: 'query_too_long' })
})

test('a body with a name twice is refused', async () => {
  const headers = { 'content-type': 'application/json' }
  const post = (payload: string) => app.inject({ method: 'POST', url: '/things', headers, payload })
  const refused = await post('{"amount":1,"amount":2}')
  expect([refused.statusCode, refused.json().code]).toEqual([400, 'malformed_request'])
  expect((await post('{"amount":{"amount":2}}')).json()).toEqual({ body: { amount: { amount: 2 } } })
})

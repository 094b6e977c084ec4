import { type AddressInfo, connect } from 'node:net'
import type { RouteSpec } from '@muripo/contract/route'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseConfig } from '../config.ts'
import { createQueues } from '../db/queues.ts'
import { createLog } from '../log.ts'
import { admitByQueueTime, REFUSED_FROM_MS } from './admission.ts'
import { createHttp } from './server.ts'

let app: FastifyInstance
let waitMs = 0

beforeAll(() => {
  const queues = createQueues()
  queues.add(() => waitMs)
  const config = parseConfig({})
  app = createHttp(config, createLog('silent'))
  app.addHook('onRequest', ({ url }, _reply, next) => {
    for (const until = performance.now() + (url === '/v1/busy' ? 20 : 0); performance.now() < until; );
    next()
  })
  admitByQueueTime(app, config, queues)
  const done = async () => 'done'
  const file = { spec: { file: 'text/csv', errors: [] } as unknown as RouteSpec }
  for (const url of ['/healthz', '/readyz', '/v1/busy', '/v1/payments/all', '/api/v1/payments/:id'])
    app.get(url, done)
  for (const url of ['/api/v1/payments', '/api/v1/refunds', '/pay/:token', '/callbacks/:provider'])
    app.post(url, done)
  app.get('/v1/payments/export', { config: file }, done)
})
afterAll(() => app.close())

const kinds = [
  ['an export', 'GET', '/v1/payments/export', REFUSED_FROM_MS.export],
  ['a list of the dashboard', 'GET', '/v1/payments/all', REFUSED_FROM_MS.dashboard],
  ['a read of a payment', 'GET', '/api/v1/payments/pay_1', REFUSED_FROM_MS.dashboard],
  ['a create', 'POST', '/api/v1/payments', REFUSED_FROM_MS.create],
  ['a refund', 'POST', '/api/v1/refunds', REFUSED_FROM_MS.continuation],
  ['the form of a payer', 'POST', '/pay/token', REFUSED_FROM_MS.continuation],
  ['a callback', 'POST', '/callbacks/ecocash', REFUSED_FROM_MS.continuation],
] as const

test.each(kinds)(
  '%s is admitted until calls wait for its limit, and then refused',
  async (_kind, method, url, limitMs) => {
    waitMs = limitMs - 1
    expect((await app.inject({ method, url })).statusCode).toBe(200)
    waitMs = limitMs
    const refused = await app.inject({ method, url })
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1'])
    expect(refused.json()).toMatchObject({ code: 'overloaded', requestId: refused.headers['x-request-id'] })
    expect(refused.headers).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      'x-frame-options': 'DENY',
    })
  },
)

test('payments are refused after dashboards, and dashboards after exports', () => {
  const limits = kinds.map(([, , , limitMs]) => limitMs)
  expect(limits).toEqual(limits.toSorted((a, b) => a - b))
})

test.each(['/healthz', '/readyz'])('%s is always answered', async (url) => {
  waitMs = 60_000
  expect((await app.inject(url)).statusCode).toBe(200)
})

test('calls are refused while the event loop is busy with many others, turn after turn', async () => {
  waitMs = 0
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1')
  let received = ''
  socket.on('data', (text: string) => {
    received += text
  })
  const statuses = () => [...received.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)
  // The calls of one write are read in one turn.
  for (const calls of [100, 200]) {
    socket.write('GET /v1/busy HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(100))
    await expect.poll(() => statuses().length, { timeout: 20_000 }).toBe(calls)
  }
  expect(statuses().slice(0, 100)).not.toContain('503')
  expect(statuses().slice(100)).toContain('503')
  expect((await app.inject('/v1/payments/export')).statusCode).toBe(200)
  socket.destroy()
}, 60_000)

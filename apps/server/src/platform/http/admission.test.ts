import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { RouteSpec } from '@muripo/contract/route'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseConfig } from '../config.ts'
import { createQueues } from '../db/queues.ts'
import { overloaded, toProblem } from '../errors.ts'
import { createLog } from '../log.ts'
import { admitByQueueTime, REFUSED_FROM_MS } from './admission.ts'
import { createHttp } from './server.ts'

let app: FastifyInstance
let origin: string
let waitMs = 0
let onBusy = () => {}
const refusals: string[] = []

beforeAll(async () => {
  const queues = createQueues()
  queues.add({ length: () => 100, waitMs: () => waitMs })
  const config = parseConfig({})
  app = createHttp(config, createLog('silent'))
  app.addHook('onRequest', ({ url }, _reply, next) => {
    if (url === '/v1/busy') onBusy()
    for (const until = performance.now() + (url === '/v1/busy' ? 20 : 0); performance.now() < until; );
    next()
  })
  admitByQueueTime(app, config, queues, (call, method) => refusals.push(`${method} ${call}`))
  const done = async () => 'done'
  const file = { spec: { file: 'text/csv', errors: [] } as unknown as RouteSpec }
  for (const url of ['/healthz', '/readyz', '/v1/busy', '/v1/payments/all', '/api/v1/payments/:id'])
    app.get(url, done)
  for (const url of ['/api/v1/payments', '/api/v1/refunds', '/pay/:token', '/callbacks/:provider'])
    app.post(url, done)
  app.get('/v1/payments/export', { config: file }, done)
  origin = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

interface Client {
  readonly socket: Socket
  /** Of its responses so far. */
  statuses(): (string | undefined)[]
}

async function connected(): Promise<Client> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1')
  let received = ''
  socket.on('data', (text: string) => {
    received += text
  })
  await once(socket, 'connect')
  return { socket, statuses: () => [...received.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status) }
}

const kinds = [
  ['export', 'GET', '/v1/payments/export', REFUSED_FROM_MS.export],
  ['dashboard', 'GET', '/v1/payments/all', REFUSED_FROM_MS.dashboard],
  ['dashboard', 'GET', '/api/v1/payments/pay_1', REFUSED_FROM_MS.dashboard],
  ['create', 'POST', '/api/v1/payments', REFUSED_FROM_MS.create],
  ['continuation', 'POST', '/api/v1/refunds', REFUSED_FROM_MS.continuation],
  ['continuation', 'POST', '/pay/token', REFUSED_FROM_MS.continuation],
  ['continuation', 'POST', '/callbacks/ecocash', REFUSED_FROM_MS.continuation],
] as const

test.each(kinds)(
  '%s: %s %s is admitted until calls wait for its limit, and then refused',
  async (call, method, url, limitMs) => {
    waitMs = limitMs - 1
    expect((await fetch(origin + url, { method })).status).toBe(200)
    waitMs = limitMs
    refusals.length = 0
    const refused = await fetch(`${origin}${url}?search=a`, { method })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await refused.json()).toEqual(
      toProblem(overloaded(), refused.headers.get('x-request-id') ?? 'no id'),
    )
    expect(refused.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    expect(refused.headers.get('x-frame-options')).toBe('DENY')
    expect(refusals).toEqual([`${method} ${call}`])
  },
)

test('a refusal carries the id of its request, and leaves its connection to the next', async () => {
  waitMs = REFUSED_FROM_MS.create
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1')
  let received = ''
  socket.on('data', (text: string) => {
    received += text
  })
  const post = (id: string) =>
    `POST /api/v1/payments HTTP/1.1\r\nhost: a\r\nx-request-id: ${id}\r\ncontent-length: 2\r\n\r\n{}`
  socket.write(post('first') + post('second'))
  await expect
    .poll(() => received.match(/"requestId":"\w+"/g))
    .toEqual(['"requestId":"first"', '"requestId":"second"'])
  expect(received).not.toMatch(/connection: close/i)
  socket.destroy()
})

test('payments are refused after dashboards, and dashboards after exports', () => {
  const limits = kinds.map(([, , , limitMs]) => limitMs)
  expect(limits).toEqual(limits.toSorted((a, b) => a - b))
})

test.each(['/healthz', '/readyz'])('%s is always answered', async (url) => {
  waitMs = 60_000
  expect((await fetch(origin + url)).status).toBe(200)
})

test('calls are refused while the event loop is busy with many others, turn after turn', async () => {
  waitMs = 0
  const clients = await Promise.all([0, 1].map(connected))
  const [first, second] = clients as [Client, Client]
  // The calls of one write are read in one turn. Those of the second client arrive during the turn of the first.
  onBusy = () => {
    onBusy = () => {}
    second.socket.write(calls)
  }
  const calls = 'GET /v1/busy HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(100)
  first.socket.write(calls)
  await expect.poll(() => clients.map(({ statuses }) => statuses().length)).toEqual([100, 100])
  expect(first.statuses()).not.toContain('503')
  expect(second.statuses()).toContain('503')
  await expect.poll(async () => (await fetch(`${origin}/v1/payments/export`)).status).toBe(200)
  for (const { socket } of clients) socket.destroy()
})

import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { Muripo, MuripoError } from './index.ts'

interface Seen {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

let server: Server | undefined

afterEach(async () => {
  vi.unstubAllEnvs()
  if (!server) return
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  server = undefined
})

/** A gateway that sends these responses in order and repeats the last one. */
async function gateway(...answers: ((reply: ServerResponse) => void)[]) {
  const seen: Seen[] = []
  server = createServer(async (request, reply) => {
    let body = ''
    for await (const chunk of request) body += chunk
    seen.push({ method: request.method, url: request.url, headers: request.headers, body })
    answers[Math.min(seen.length, answers.length) - 1]?.(reply)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (reply: ServerResponse) =>
    reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const disconnect = (reply: ServerResponse) => reply.destroy()
const atOnce = { 'retry-after': '0' }
const params = { amount: 25, currency: 'USD', description: 'Order 1001' } as const
const created = json(201, { id: 'pay_1', status: 'pending' })

const keysOf = (seen: readonly Seen[]) => new Set(seen.map(({ headers }) => headers['idempotency-key']))

const failureOf = (call: Promise<unknown>): Promise<MuripoError> =>
  call.then(
    () => Promise.reject(new Error('the call went through')),
    (error: unknown) => {
      expect(error).toBeInstanceOf(MuripoError)
      return error as MuripoError
    },
  )

test('a payment is created by a POST with the bearer key, JSON and a new idempotency key', async () => {
  const { url, seen } = await gateway(created)
  expect(await new Muripo('mk_test_1', { baseUrl: `${url}/` }).payments.create(params)).toMatchObject({
    id: 'pay_1',
  })
  expect(seen).toHaveLength(1)
  expect(seen[0]).toMatchObject({ method: 'POST', url: '/api/v1/payments', body: JSON.stringify(params) })
  expect(seen[0]?.headers).toMatchObject({
    authorization: 'Bearer mk_test_1',
    'content-type': 'application/json',
  })
  expect(seen[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
})

test('each call has a new idempotency key, unless the caller passes one', async () => {
  const { url, seen } = await gateway(created)
  const { payments } = new Muripo('k', { baseUrl: url })
  await payments.create(params)
  await payments.create(params)
  await payments.create(params, { idempotencyKey: 'order-1001' })
  expect(keysOf(seen).size).toBe(3)
  expect(seen[2]?.headers['idempotency-key']).toBe('order-1001')
})

test('a refund is created with a generated key, and retrieved by its id', async () => {
  const { url, seen } = await gateway(json(201, { id: 'rfd_1', status: 'pending' }))
  const { refunds } = new Muripo('k', { baseUrl: url })
  await refunds.create({ payment: 'pay_1', amount: 5 })
  await refunds.create({ payment: 'pay_1', amount: 5 }, { idempotencyKey: 'return-7' })
  expect(seen[0]).toMatchObject({
    method: 'POST',
    url: '/api/v1/refunds',
    body: '{"payment":"pay_1","amount":5}',
  })
  expect(keysOf(seen).size).toBe(2)
  expect(seen[1]?.headers['idempotency-key']).toBe('return-7')
  expect(await refunds.retrieve('rfd_1')).toMatchObject({ id: 'rfd_1' })
  expect(seen[2]).toMatchObject({ method: 'GET', url: '/api/v1/refunds/rfd_1' })
})

test('a payment is captured with a generated key, in full or in part', async () => {
  const { url, seen } = await gateway(disconnect, json(200, { id: 'pay_1', status: 'completed' }))
  const { payments } = new Muripo('k', { baseUrl: url })
  expect(await payments.capture('pay_1')).toMatchObject({ status: 'completed' })
  expect(keysOf(seen).size).toBe(1)
  expect(seen.at(-1)).toMatchObject({ method: 'POST', url: '/api/v1/payments/pay_1/capture', body: '{}' })
  await payments.capture('pay/1', { amount: 20 }, { idempotencyKey: 'ship-1001' })
  expect(seen.at(-1)).toMatchObject({ url: '/api/v1/payments/pay%2F1/capture', body: '{"amount":20}' })
  expect(seen.at(-1)?.headers['idempotency-key']).toBe('ship-1001')
})

test('an id is encoded, so that it cannot reach another path', async () => {
  const { url, seen } = await gateway(json(200, { id: 'pay_1' }))
  await new Muripo('k', { baseUrl: url }).payments.retrieve('../refunds?x')
  expect(seen[0]).toMatchObject({ method: 'GET', url: '/api/v1/payments/..%2Frefunds%3Fx' })
})

test('a payment is cancelled by its id', async () => {
  const { url, seen } = await gateway(json(200, { id: 'pay_1', status: 'failed' }))
  const { payments } = new Muripo('k', { baseUrl: url })
  expect(await payments.cancel('pay_1')).toMatchObject({ status: 'failed' })
  expect(seen).toMatchObject([{ method: 'POST', url: '/api/v1/payments/pay_1/cancel', body: '' }])
})

const notCancellable = json(409, { code: 'payment_not_cancellable', message: 'Only a pending one' })

test('a cancel with a lost response is looked up, and returns the current payment', async () => {
  const cancelled = { id: 'pay_1', status: 'failed', cancel_requested_at: '2026-11-20T09:30:00.000Z' }
  const { url, seen } = await gateway(disconnect, notCancellable, json(200, cancelled))
  expect(await new Muripo('k', { baseUrl: url }).payments.cancel('pay_1')).toEqual(cancelled)
  expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /api/v1/payments/pay_1/cancel',
    'POST /api/v1/payments/pay_1/cancel',
    'GET /api/v1/payments/pay_1',
  ])
})

test('the cancellation of a completed payment is an error', async () => {
  const paid = { id: 'pay_1', status: 'completed', cancel_requested_at: null }
  const late = await gateway(disconnect, notCancellable, json(200, paid))
  expect(await failureOf(new Muripo('k', { baseUrl: late.url }).payments.cancel('pay_1'))).toMatchObject({
    status: 409,
    code: 'payment_not_cancellable',
  })
  expect(late.seen).toHaveLength(3)
})

test('a cancel that is refused at the first attempt is an error', async () => {
  const { url, seen } = await gateway(notCancellable)
  expect(await failureOf(new Muripo('k', { baseUrl: url }).payments.cancel('pay_1'))).toMatchObject({
    code: 'payment_not_cancellable',
  })
  expect(seen).toHaveLength(1)
})

test.each([
  ['a cut connection', disconnect],
  ['500', json(500, { code: 'internal_error' }, atOnce)],
  ['503', json(503, { code: 'service_unavailable' }, atOnce)],
  ['429', json(429, { code: 'rate_limited' }, atOnce)],
  [
    "a proxy's 502 that is no JSON",
    (reply: ServerResponse) => reply.writeHead(502, atOnce).end('<h1>Bad</h1>'),
  ],
  ['a first attempt in progress', json(409, { code: 'idempotency_in_flight' }, atOnce)],
])('a call is retried after %s, with the same idempotency key', async (_what, failure) => {
  const { url, seen } = await gateway(failure, failure, created)
  expect(await new Muripo('k', { baseUrl: url }).payments.create(params)).toMatchObject({ id: 'pay_1' })
  expect(seen).toHaveLength(3)
  expect(keysOf(seen).size).toBe(1)
})

test('a call ends after the third attempt', async () => {
  const { url, seen } = await gateway(json(503, { code: 'service_unavailable', message: 'Later' }, atOnce))
  const error = await failureOf(new Muripo('k', { baseUrl: url }).payments.create(params))
  expect(error).toMatchObject({ status: 503, code: 'service_unavailable', message: 'Later' })
  expect(seen).toHaveLength(3)
})

test('the client waits as long as the gateway requests', async () => {
  const { url, seen } = await gateway(
    json(503, { code: 'service_unavailable' }, { 'retry-after': '1' }),
    created,
  )
  const startedAt = performance.now()
  await new Muripo('k', { baseUrl: url }).payments.create(params)
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990)
  expect(seen).toHaveLength(2)
})

test('a requested pause of an hour is an error at once', async () => {
  const { url, seen } = await gateway(json(429, { code: 'rate_limited' }, { 'retry-after': '3600' }))
  await failureOf(new Muripo('k', { baseUrl: url }).payments.create(params))
  expect(seen).toHaveLength(1)
})

test('a refusal is thrown at once with its errors', async () => {
  const fields = [{ field: 'amount', message: 'The amount must be greater than 0' }]
  const refusal = { code: 'validation_failed', message: 'The amount must be greater than 0', errors: fields }
  const { url, seen } = await gateway(json(422, refusal, { 'x-request-id': 'req-7' }))
  const error = await failureOf(new Muripo('k', { baseUrl: url }).payments.create({ ...params, amount: -1 }))
  expect(seen).toHaveLength(1)
  expect(error).toMatchObject({
    name: 'MuripoError',
    status: 422,
    code: 'validation_failed',
    message: 'The amount must be greater than 0',
    requestId: 'req-7',
    fields,
  })
})

test('another conflict is not retried', async () => {
  const { url, seen } = await gateway(json(409, { code: 'payment_not_payable', message: 'No' }))
  await failureOf(new Muripo('k', { baseUrl: url }).payments.create(params))
  expect(seen).toHaveLength(1)
})

test('a redirect is not followed with the key', async () => {
  const { url, seen } = await gateway((reply) => reply.writeHead(302, { location: '/elsewhere' }).end())
  expect(await failureOf(new Muripo('k', { baseUrl: url }).payments.create(params))).toMatchObject({
    status: 302,
    code: 'unexpected_response',
  })
  expect(seen).toHaveLength(1)
})

test('a page in place of a response is an unexpected response', async () => {
  const { url } = await gateway((reply) => reply.writeHead(200).end('<h1>Welcome</h1>'))
  const error = await failureOf(new Muripo('k', { baseUrl: url }).payments.retrieve('pay_1'))
  expect(error.code).toBe('unexpected_response')
  expect(error.message).toContain('address')
})

test('a gateway that does not answer in time is a network error', async () => {
  const timeouts: AbortController[] = []
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const timeout = new AbortController()
    timeouts.push(timeout)
    return timeout.signal
  })
  const { url, seen } = await gateway(() => timeouts.at(-1)?.abort(new DOMException('', 'TimeoutError')))
  const error = await failureOf(new Muripo('k', { baseUrl: url }).payments.retrieve('pay_1'))
  expect(error).toMatchObject({ status: 0, code: 'network_error', requestId: null, fields: [] })
  expect(error.cause).toMatchObject({ name: 'TimeoutError' })
  expect(seen).toHaveLength(3)
})

test('MURIPO_URL is the default address', async () => {
  const { url, seen } = await gateway(created)
  vi.stubEnv('MURIPO_URL', url)
  await new Muripo('k').payments.create(params)
  expect(seen).toHaveLength(1)
})

test('a client without a key or an address is refused with a message', () => {
  vi.stubEnv('MURIPO_URL', '')
  expect(() => new Muripo(undefined, { baseUrl: 'https://pay.example.com' })).toThrow('application key')
  expect(() => new Muripo('k')).toThrow('MURIPO_URL')
  expect(() => new Muripo('k', { baseUrl: 'pay.example.com' })).toThrow('MURIPO_URL')
})

test('a printed client does not contain the key', async () => {
  const { inspect } = await import('node:util')
  const client = new Muripo('mk_test_secret', { baseUrl: 'https://pay.example.com' })
  expect(inspect(client, { depth: 9, showHidden: true }) + JSON.stringify(client)).not.toContain('secret')
})

test('a list is one page when it is awaited, and all items when it is iterated', async () => {
  const page = (ids: string[], next_cursor: string | null) =>
    json(200, { data: ids.map((id) => ({ id })), has_more: next_cursor !== null, next_cursor })
  const { url, seen } = await gateway(page(['p1'], 'p1'), page(['p1', 'p2'], 'p2'), page(['p3'], null))
  const muripo = new Muripo('mk_test_1', { baseUrl: url })
  expect(await muripo.payments.list()).toMatchObject({ data: [{ id: 'p1' }], has_more: true })

  const found: string[] = []
  const requested = {
    status: 'completed',
    created_after: '2026-11-01T00:00:00+02:00',
    reference: undefined,
  } as const
  for await (const { id } of muripo.payments.list(requested)) found.push(id)
  expect(found).toEqual(['p1', 'p2', 'p3'])
  const query = 'status=completed&created_after=2026-11-01T00%3A00%3A00%2B02%3A00'
  expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /api/v1/payments',
    `GET /api/v1/payments?${query}`,
    `GET /api/v1/payments?${query}&cursor=p2`,
  ])
})

test('a list that is left early fetches no more pages, and a failed list throws its error', async () => {
  const { url, seen } = await gateway(
    json(200, { data: [{ id: 'c1' }], has_more: true, next_cursor: 'c1' }),
    json(422, { code: 'validation_failed', detail: 'There is no such customer' }),
  )
  const { customers } = new Muripo('mk_test_1', { baseUrl: url })
  for await (const { id } of customers.list({ phone: '+263771234567' })) {
    expect(id).toBe('c1')
    break
  }
  expect(seen.map((each) => each.url)).toEqual(['/api/v1/customers?phone=%2B263771234567'])
  expect(await failureOf(Promise.resolve(customers.list({ cursor: 'c9' })))).toMatchObject({
    code: 'validation_failed',
  })
})

test('a customer is retrieved by its id', async () => {
  const { url, seen } = await gateway(json(200, { id: 'cus_1', object: 'customer' }))
  expect(await new Muripo('mk_test_1', { baseUrl: url }).customers.retrieve('cus_1')).toMatchObject({
    id: 'cus_1',
  })
  expect(seen[0]).toMatchObject({ method: 'GET', url: '/api/v1/customers/cus_1' })
})

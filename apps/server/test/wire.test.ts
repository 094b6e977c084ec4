import { Problem } from '@muripo/contract/errors'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeAttempt, makePayment } from '../src/modules/payments/factory.ts'
import { idempotencyChecksum } from '../src/modules/payments/idempotency.ts'
import { type Caller, makeApp, makeCaller } from './app.ts'
import { makeShop, makeWorld, type World } from './world.ts'

let world: World
let app: FastifyInstance
let caller: Caller

beforeAll(async () => {
  world = await makeWorld()
  app = await makeApp(world.ctx)
  caller = await makeCaller(world.ctx)
})
afterAll(async () => {
  await app.close()
  await world.ctx.close()
})
beforeEach(() => {
  world.errors.length = 0
})

/** Every error has one shape; returns its code and fields. */
function problemOf(response: LightMyRequestResponse): { code: string; fields: string[] } {
  expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
  expect(response.headers['x-request-id']).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
  const problem = Problem.parse(response.json())
  expect(problem.status).toBe(response.statusCode)
  expect(problem.message).toBe(problem.detail)
  expect(problem.requestId).toBe(response.headers['x-request-id'])
  return { code: problem.code, fields: (problem.errors ?? []).map(({ field }) => field) }
}

const order = { amount: 12.5, currency: 'USD', description: 'Order 1001' }
const create = (payload: unknown, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: '/api/v1/payments',
    headers: { ...caller.withKey, 'content-type': 'application/json', ...headers },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  })

const PHONE = 'Must be a phone number, such as +263 77 123 4567 or 077 123 4567'

describe('refused with a problem:', () => {
  test.each([
    ['no key', { authorization: '' }, 401, 'invalid_key'],
    ['a key that nobody has', { authorization: 'Bearer mk_test_x' }, 401, 'invalid_key'],
    [
      'a content type that any page may send',
      { 'content-type': 'text/plain' },
      415,
      'unsupported_media_type',
    ],
    ['another content type', { 'content-type': 'application/xml' }, 415, 'unsupported_media_type'],
    ['an empty Idempotency-Key', { 'idempotency-key': '' }, 422, 'validation_failed'],
  ])('%s', async (_what, headers, status, code) => {
    const response = await create(order, headers)
    expect(response.statusCode).toBe(status)
    expect(problemOf(response).code).toBe(code)
  })

  test.each([
    ['broken JSON', '{"amount":', 400],
    ['a poisoned prototype', '{"__proto__":{"admin":true}}', 400],
    ['a body over 64 KiB', JSON.stringify({ ...order, description: 'x'.repeat(65_536) }), 413],
    ['no body', '', 422],
    ['a list', '[]', 422],
    ['a number', '1', 422],
  ])('%s', async (_what, body, status) => {
    const response = await create(body)
    expect(response.statusCode).toBe(status)
    problemOf(response)
  })

  test.each([
    [{ succes_url: 'https://shop.test' }, ['succes_url']],
    [{ customer: { mail: 'a@b.co' } }, ['customer.mail']],
    [{ amount: '12.50' }, ['amount']],
    [{ amount: -1 }, ['amount']],
    [{ amount: 12.505 }, ['amount']],
    [{ metadata: { a: 1 } }, ['metadata.a']],
  ])('%j, naming the field', async (change, fields) => {
    const response = await create({ ...order, ...change })
    expect(response.statusCode).toBe(422)
    expect(problemOf(response)).toEqual({ code: 'validation_failed', fields })
  })

  test.each([
    ['GET', '/v1/nothing'],
    ['GET', '/api/v1/nothing'],
    ['POST', '/callbacks/scripted'],
    ['POST', '/callbacks/nobody/token'],
    ['POST', '/callbacks/scripted/%00'],
    ['GET', '/api/v1/payments/%00'],
    ['GET', `/api/v1/payments/${'x'.repeat(65)}`],
    ['GET', `/api/v1/payments/${'x'.repeat(300)}`],
    ['POST', `/api/v1/payments/${'x'.repeat(300)}/cancel`],
  ] as const)('%s %s does not exist', async (method, url) => {
    const response = await app.inject({ method, url, headers: caller.withKey })
    expect(response.statusCode).toBe(404)
    expect(problemOf(response).code).toBe('not_found')
  })

  test.each([
    ['DELETE', '/api/v1/payments', 'POST, GET, HEAD'],
    ['TRACE', '/api/v1/payments', 'POST, GET, HEAD'],
    ['GET', '/api/v1/payments/pay_none/cancel?x=1', 'POST'],
    ['PUT', '/v1/payments/refund', 'GET, HEAD, POST'],
    ['TRACE', '/healthz', 'GET, HEAD'],
  ] as const)('%s %s: another method than the address has', async (method, url, allow) => {
    const response = await app.inject({ method, url, headers: caller.withKey })
    expect([response.statusCode, response.headers.allow]).toEqual([405, allow])
    expect(problemOf(response).code).toBe('method_not_allowed')
  })

  test.each([
    ['/payments', { ...order, currency: 'usd' }, 'currency', 'Must be one of USD, ZWG, ZAR, BWP, GBP, EUR'],
    ['/payments', { ...order, customer: 'Rudo' }, 'customer', 'Must be an object'],
    ['/payments', { ...order, customer: { email: '' } }, 'customer.email', 'Must not be empty'],
    ['/payments', { ...order, expires_in: 1800.5 }, 'expires_in', 'Must be a whole number'],
    ['/payments', { ...order, metadata: { table: 4 } }, 'metadata.table', 'Must be text'],
    ['/payments', [order], '', 'The body must be a JSON object'],
    ['/payments', { ...order, reference: 1001 }, 'reference', 'Must be text'],
    ['/payments', { ...order, customer: { phone: 'abc' } }, 'customer.phone', PHONE],
    ['/payments', { ...order, customer: { phone: '12345' } }, 'customer.phone', PHONE],
    [
      '/payments',
      { ...order, metadata: { ['k'.repeat(41)]: 'x' } },
      `metadata.${'k'.repeat(41)}`,
      'Must have a name of at most 40 characters',
    ],
    ['/payments', { ...order, metadata: { '': 'x' } }, 'metadata', 'Must have a name'],
    ['/refunds', {}, 'payment', 'This field is required'],
    ['/webhooks', { url: 'https://shop.test', events: 'payment.completed' }, 'events', 'Must be a list'],
  ])('a create at %s of %j, with one sentence for the field', async (path, payload, field, message) => {
    const response = await app.inject({
      method: 'POST',
      url: `/api/v1${path}`,
      headers: caller.withKey,
      payload,
    })
    expect(Problem.parse(response.json()).errors).toEqual([{ field, message }])
  })

  test.each<[string, string, Record<string, string>, number, string]>([
    ['single quotes', `{'amount':25}`, {}, 400, 'The body is not valid JSON: line 1, column 2'],
    ['a trailing comma', '{\n  "amount": 25,\n}', {}, 400, 'The body is not valid JSON: line 3, column 1'],
    ['half of a body', '{"amount":', {}, 400, 'The body is not valid JSON: it ends too early'],
    [
      'a poisoned prototype',
      '{"__proto__":{"admin":true}}',
      {},
      400,
      'The body must not contain the names "__proto__" and "constructor.prototype"',
    ],
    [
      'gzip',
      '\u001f\u008b',
      { 'content-encoding': 'gzip' },
      415,
      'The body must not be compressed: send application/json without Content-Encoding',
    ],
    [
      'a form',
      'amount=25',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'The content type is not supported: send application/json',
    ],
    [
      '65,537 bytes',
      JSON.stringify({ ...order, description: 'x'.repeat(65_536) }),
      {},
      413,
      'The request is too large: a body has at most 65536 bytes',
    ],
    [
      'a key in another header',
      JSON.stringify(order),
      { 'x-idempotency-key': '1' },
      422,
      'x-idempotency-key must be sent as the header Idempotency-Key',
    ],
    [
      'a key in a header with an underscore',
      JSON.stringify(order),
      { idempotency_key: '1' },
      422,
      'idempotency_key must be sent as the header Idempotency-Key',
    ],
  ])('a create with %s, with the reason', async (_what, payload, headers, status, detail) => {
    const response = await app.inject({
      method: 'POST',
      url: '/api/v1/payments',
      headers: { ...caller.withKey, 'content-type': 'application/json', ...headers },
      payload,
    })
    expect(response.statusCode).toBe(status)
    expect(Problem.parse(response.json()).detail).toBe(detail)
  })

  test('a create in another encoding than UTF-8', async () => {
    const response = await app.inject({
      method: 'POST',
      url: '/api/v1/payments',
      headers: { ...caller.withKey, 'content-type': 'application/json' },
      payload: Buffer.from(JSON.stringify({ ...order, description: 'Café' }), 'latin1'),
    })
    expect([response.statusCode, response.json().detail]).toEqual([400, 'The body must be UTF-8'])
  })

  test.each([
    [{}, 'The application key is missing: send it in the header Authorization, as "Bearer mk_…"'],
    [
      { authorization: 'mk_test_x' },
      'The header Authorization must be "Bearer" and an application key, as "Bearer mk_…"',
    ],
    [
      { authorization: 'Bearer mk_test_x' },
      'The application key is not valid: it is mistyped, or another one has replaced it',
    ],
  ])('a call with the headers %j, with the fault of its key', async (headers, detail) => {
    const response = await app.inject({ url: '/api/v1/payments', headers })
    expect([response.statusCode, response.json().code]).toEqual([401, 'invalid_key'])
    expect(response.json().detail).toBe(detail)
  })

  test.each([
    ['/api/v1/payments/pay_none', 'There is no payment with this id'],
    ['/api/v1/refunds/rfd_none', 'There is no refund with this id'],
    ['/api/v1/webhooks/whk_none', 'There is no webhook endpoint with this id'],
    ['/api/v1/customers/cus_none', 'There is no customer with this id'],
    ['/api/v1/events/evt_none', 'There is no event with this id'],
    ['/api/v1/nothing', 'Nothing has this address'],
  ])('GET %s, with what was not found', async (url, detail) => {
    const response = await app.inject({ url, headers: caller.withKey })
    expect([response.statusCode, response.json().detail]).toEqual([404, detail])
  })

  test.each([
    ['limit=101', 'limit must be at most 100'],
    ['limit=x', 'limit must be a number'],
    ['created_after=2026-11-20', 'created_after must be a time such as 2026-11-20T09:30:00Z'],
    ['limit=x&status=paid&page=2', 'limit must be a number; 2 more fields are not valid'],
  ])('a list with %s, with a sentence', async (query, message) => {
    const response = await app.inject({ url: `/api/v1/payments?${query}`, headers: caller.withKey })
    expect(Problem.parse(response.json()).detail).toBe(message)
  })

  test.each([
    ['GET', '/payments/pay_none?foo=1', undefined, 'foo'],
    ['HEAD', '/payments/pay_none?foo=1', undefined, 'foo'],
    ['POST', '/payments?foo=1', order, 'foo'],
    ['GET', '/webhooks/whk_none?foo=1', undefined, 'foo'],
    ['POST', '/payments/pay_none/cancel?foo=1', undefined, 'foo'],
    ['POST', '/payments/pay_none/cancel', { foo: 1 }, 'foo'],
    ['POST', '/events/evt_none/redeliver', { foo: 1 }, 'foo'],
    ['DELETE', '/webhooks/whk_none', { foo: 1 }, 'foo'],
  ] as const)('%s %s with %j, which is unknown', async (method, url, payload, field) => {
    const response = await app.inject({
      method,
      url: `/api/v1${url}`,
      headers: caller.withKey,
      ...(payload && { payload }),
    })
    expect(response.statusCode).toBe(422)
    if (method !== 'HEAD') expect(problemOf(response)).toEqual({ code: 'validation_failed', fields: [field] })
  })

  test.each([
    ['GET', '/account?foo=1', undefined],
    ['GET', '/applications/all?foo=1', undefined],
    ['GET', '/stats/dashboard?foo=1', undefined],
    ['GET', '/status?foo=1', undefined],
    ['GET', '/config?foo=1', undefined],
    ['PATCH', '/applications/app_none/regenerate-key', { foo: 1 }],
    ['DELETE', '/account/sessions', { foo: 1 }],
    ['POST', '/auth/signout', { foo: 1 }],
  ] as const)(
    '%s /v1%s with %j, which the call of the dashboard does not have',
    async (method, url, payload) => {
      const response = await app.inject({
        method,
        url: `/v1${url}`,
        headers: caller.withSession,
        ...(payload && { payload }),
      })
      expect(response.statusCode).toBe(422)
      expect(problemOf(response)).toEqual({ code: 'validation_failed', fields: ['foo'] })
    },
  )

  test('a repeated parameter', async () => {
    const list = (query: string) =>
      app.inject({ method: 'GET', url: `/api/v1/payments${query}`, headers: caller.withKey })
    const once = await list('?limit=1')
    expect(once.statusCode).toBe(200)
    expect(once.headers['content-type']).toBe('application/json; charset=utf-8')
    const twice = await list('?limit=1&limit=2')
    expect(twice.statusCode).toBe(422)
    expect(problemOf(twice)).toEqual({ code: 'validation_failed', fields: ['limit'] })
  })

  test('an unreadable address', async () => {
    const response = await app.inject({ method: 'GET', url: '/api/v1/payments/%zz', headers: caller.withKey })
    expect(response.statusCode).toBe(400)
    expect(problemOf(response).code).toBe('malformed_request')
    expect(response.headers['x-content-type-options']).toBe('nosniff')
  })
})

test.each([
  ['no body', {}, undefined],
  ['none but its content type', { 'content-type': 'application/json' }, undefined],
  ['an empty one', { 'content-type': 'application/json' }, ''],
  ['an empty object', { 'content-type': 'application/json' }, '{}'],
])('a call without a body that gets %s', async (_what, headers, payload) => {
  const { id } = await makePayment(world.ctx, caller.owner)
  const cancelled = await app.inject({
    method: 'POST',
    url: `/api/v1/payments/${id}/cancel`,
    headers: { ...caller.withKey, ...headers },
    ...(payload !== undefined && { payload }),
  })
  expect(cancelled.statusCode).toBe(200)
})

test('a sister application of the same merchant sees only its own payments', async () => {
  const { id } = await makePayment(world.ctx, caller.owner)
  const sister = await makeShop(world.ctx, caller.merchantId)
  for (const [{ applicationKey }, status] of [
    [caller, 200],
    [sister, 404],
  ] as const) {
    const headers = { authorization: `Bearer ${applicationKey}` }
    const response = await app.inject({ url: `/api/v1/payments/${id}`, headers })
    expect(response.statusCode).toBe(status)
  }
})

test('a valid request id of a caller is kept, and another one replaced', async () => {
  for (const id of ['abc_DEF-1', 'x'.repeat(64)]) {
    expect((await create(order, { 'x-request-id': id })).headers['x-request-id']).toBe(id)
  }
  for (const id of ['', 'x'.repeat(65), 'a b', 'a<script>']) {
    expect((await create(order, { 'x-request-id': id })).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  }
})

test('a response under a key is repeated to the byte, and marked', async () => {
  const [first, again] = [
    await create(order, { 'idempotency-key': '"k"' }),
    await create(order, { 'idempotency-key': 'k' }),
  ]
  expect(again.body).toBe(first.body)
  expect([first.statusCode, again.statusCode]).toEqual([201, 201])
  expect([first, again].map(({ headers }) => headers['idempotency-replayed'])).toEqual([undefined, 'true'])
  const read = await app.inject({ url: `/api/v1/payments/${first.json().id}`, headers: caller.withKey })
  expect(read.json()).toEqual(first.json())
})

test('the same body in another order is the same request, and another entry another', async () => {
  const headers = { 'idempotency-key': 'any-order' }
  const first = await create({ ...order, metadata: { b: '1', a: '2', 10: 'x', 9: 'y' } }, headers)
  const again = await create({ metadata: { 9: 'y', a: '2', 10: 'x', b: '1' }, ...order }, headers)
  expect([first.statusCode, again.body]).toEqual([201, first.body])
  const other = await create({ ...order, metadata: { b: '2', a: '1', 10: 'x', 9: 'y' } }, headers)
  expect(problemOf(other).code).toBe('idempotency_mismatch')
})

test('50 identical creates at once under one key are one payment and 50 equal answers', async () => {
  const headers = { 'idempotency-key': 'at-once' }
  const answers = await Promise.all(Array.from({ length: 50 }, () => create(order, headers)))
  expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
  expect(answers[0]?.statusCode).toBe(201)
  expect(answers.filter((answer) => answer.headers['idempotency-replayed'] === 'true')).toHaveLength(49)
  const { rows } = await world.ctx.db.pool.query('select from payments where idempotency_checksum = $1', [
    idempotencyChecksum(caller.applicationId, 'at-once'),
  ])
  expect(rows).toHaveLength(1)
})

describe('a callback is answered at once, with any body,', () => {
  const kinds = ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'made/up']
  const send = (token: string, payload: string, type: string) =>
    app.inject({
      method: 'POST',
      url: `/callbacks/scripted/${token}`,
      headers: { 'content-type': type },
      payload,
    })
  const stored = async () => {
    await world.ctx.backgroundTasks.drain()
    const { rows } = await world.ctx.db.pool.query(
      "select result, convert_from(body, 'utf8') as body from provider_callbacks order by id",
    )
    return rows
  }

  test('and stores nothing when its token is unknown', async () => {
    for (const type of kinds) expect((await send('unknown', '{broken', type)).statusCode).toBe(200)
    expect((await send('unknown', 'x'.repeat(65_537), 'text/plain')).statusCode).toBe(413)
    expect(await stored()).toEqual([])
  })

  test('and is stored unchanged when its token is known', async () => {
    const payment = await makePayment(world.ctx, caller.owner)
    const attempt = await makeAttempt(world.ctx, payment)
    const token = world.ctx.attemptLinks.tokenOf(attempt.accountId, attempt.id)
    for (const type of kinds) expect((await send(token, `{broken ${type}`, type)).statusCode).toBe(200)
    expect(await stored()).toEqual(kinds.map((type) => ({ result: 'applied', body: `{broken ${type}` })))
  })
})

test('[CALLS-43] a payment of the dashboard has its status, purpose, payer and time', async () => {
  const made = await makePayment(world.ctx, caller.owner, { ...order, customer: { phone: '077 123 4567' } })
  const { payments } = (await app.inject({ url: '/v1/payments/all', headers: caller.withSession })).json()
  expect(payments.find(({ paymentId }: { paymentId: string }) => paymentId === made.id)).toMatchObject({
    _id: made.id.replace(/^pay_/, 'txn_'),
    applicationId: caller.owner.applicationId,
    amount: 12.5,
    currency: 'USD',
    status: 'PENDING',
    method: null,
    paymentMethodReference: null,
    purposeDescription: 'Order 1001',
    customerPhoneNumber: '077 123 4567',
    createdAt: made.createdAt.toISOString(),
  })
})

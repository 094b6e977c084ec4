import type { Application } from '@muripo/contract/applications'
import type { PublicPayment } from '@muripo/contract/payments'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { KeyCache } from '../src/modules/applications/index.ts'
import { lookupOf } from '../src/modules/applications/sealed-key.ts'
import { findKeyOwner, type KeyOwner } from '../src/modules/applications/store-keys.ts'
import { createCheckout } from '../src/modules/checkout/index.ts'
import { makeMerchant, makeSession } from '../src/modules/identity/factory.ts'
import { merchantProfile } from '../src/modules/identity/index.ts'
import { paid, type ScriptedProvider, scriptedProvider } from '../src/modules/payments/factory.ts'
import { foldFigures, startAttempt } from '../src/modules/payments/index.ts'
import { findPayment } from '../src/modules/payments/store.ts'
import { registryOf } from '../src/modules/providers/registry.ts'
import { settleMode } from '../src/platform/db/deployment-mode.ts'
import { uuidOf } from '../src/platform/ids.ts'
import { makeApp } from './app.ts'
import { makeWorld, type WorldCtx } from './world.ts'

const TEST_NUMBERS = ['077 111 1111', '077 222 2222']

let ctx: WorldCtx
let app: FastifyInstance
let real: ScriptedProvider
let sandbox: ScriptedProvider
let keyCache: KeyCache
let merchantId: KeyOwner['merchantId']
let session: { authorization: string }
let application: Application
let live: { authorization: string }
let trial: { authorization: string }

const named = (script: ScriptedProvider, id: string, testNumbers?: string[]) => ({
  ...script.connector,
  id,
  ...(testNumbers && { testNumbers }),
})

beforeAll(async () => {
  const world = await makeWorld({ MODE: 'live' })
  real = scriptedProvider()
  sandbox = scriptedProvider()
  const providers = registryOf([named(real, 'wallet')], [named(sandbox, 'wallet-test', TEST_NUMBERS)])
  ctx = { ...world.ctx, providers }
  keyCache = new KeyCache()
  await keyCache.connect(ctx, ctx.databaseUrl)
  app = await makeApp(ctx, keyCache)
})
afterAll(async () => {
  await app.close()
  await keyCache.close()
  await ctx.close()
})
beforeEach(async () => {
  merchantId = (await makeMerchant(ctx)).merchantId
  session = { authorization: `Bearer ${(await makeSession(ctx, merchantId)).authToken}` }
  application = await call('POST', '/v1/applications/create', session, {
    applicationName: 'Shop',
    description: 'Sells things',
    category: 'Retail',
  }).then(({ body }) => body as Application)
  live = { authorization: `Bearer ${application.applicationKey}` }
  trial = { authorization: `Bearer ${application.testKey}` }
})
afterEach(() => {
  real.charges.length = 0
  sandbox.charges.length = 0
})

interface Answered<Body> {
  readonly status: number
  readonly body: Body
}

// biome-ignore lint/suspicious/noExplicitAny: each test looks at its own part of an answer
async function call<Body = any>(
  method: 'GET' | 'POST' | 'PATCH',
  url: string,
  headers: Record<string, string>,
  payload?: object,
): Promise<Answered<Body>> {
  const answer = await app.inject({ method, url, headers, ...(payload && { payload }) })
  return { status: answer.statusCode, body: answer.json() }
}

const order = { amount: 12.5, currency: 'USD', description: 'Order 1001', reference: 'R1' }
const create = (who: { authorization: string }, change: object = {}, key?: string) =>
  call<PublicPayment>(
    'POST',
    '/api/v1/payments',
    { ...who, ...(key && { 'idempotency-key': key }) },
    { ...order, ...change },
  )
const ownerOf = async ({ authorization }: { authorization: string }): Promise<KeyOwner> => {
  const owner = await findKeyOwner(
    ctx.db.kysely,
    lookupOf(ctx.keys, authorization.slice('Bearer '.length)),
    'live',
  )
  if (owner === null) throw new Error('a key has its owner')
  return owner
}

async function pay(who: { authorization: string }, script: ScriptedProvider): Promise<PublicPayment> {
  const { body } = await create(who)
  script.charge = async ({ amount }) => paid(amount)
  const { merchantId: book } = await ownerOf(who)
  const started = await startAttempt(ctx, book, body.id, {
    method: 'ecocash',
    phone: TEST_NUMBERS[0] ?? '',
    shopName: 'Shop',
  })
  await started.answered
  return body
}

test('an application has a key of each kind; the dashboard’s is the live one', () => {
  expect(application.applicationKey).toMatch(/^mk_live_/)
  expect(application.testKey).toMatch(/^mk_test_/)
})

test('what one key makes the other cannot read, list, count, nor meet by an idempotency key or a customer', async () => {
  const customer = { email: 'rudo@shop.example' }
  const one = await create(live, { customer }, 'same')
  const other = await create(trial, { customer, amount: 99 }, 'same')
  expect([one.status, other.status]).toEqual([201, 201])
  expect(other.body.customer.id).not.toBe(one.body.customer.id)
  for (const [who, theirs, others] of [
    [live, one.body, other.body],
    [trial, other.body, one.body],
  ] as const) {
    const ids = async (path: string) =>
      ((await call(`GET`, `/api/v1/${path}`, who)).body.data as { id: string }[]).map(({ id }) => id)
    expect(await ids('payments')).toEqual([theirs.id])
    expect(await ids('payments?reference=R1')).toEqual([theirs.id])
    expect(await ids(`payments?cursor=${others.id}`)).toEqual(theirs.id < others.id ? [theirs.id] : [])
    expect(await ids('customers')).toEqual([theirs.customer.id])
    expect((await call('GET', `/api/v1/payments/${others.id}`, who)).status).toBe(404)
    expect((await call('POST', `/api/v1/payments/${others.id}/cancel`, who)).status).toBe(404)
    expect((await call('GET', `/api/v1/customers/${others.customer.id}`, who)).status).toBe(404)
  }
})

test('test payments never reach the dashboard: neither its list nor its figures, nor the merchant’s balance', async () => {
  const tried = await pay(trial, sandbox)
  await foldFigures(ctx)
  expect((await call('GET', '/v1/payments/all', session)).body).toMatchObject({ payments: [], total: 0 })
  expect((await call('GET', `/v1/payments/${tried.id}`, session)).status).toBe(404)
  const stats = await call('GET', '/v1/stats/dashboard', session)
  expect(stats.body.data).toMatchObject({ totalRevenueToday: 0, totalCompleted: 0, totalApplications: 1 })

  await pay(live, real)
  const { rows } = await ctx.db.pool.query(
    `select merchant_id, sum(balance_minor)::int as sum, max(abs(balance_minor))::int as moved from ledger_balances
     where merchant_id = any($1) group by 1`,
    [[uuidOf(merchantId), uuidOf((await ownerOf(trial)).merchantId)]],
  )
  expect(rows).toHaveLength(2)
  expect(rows.map(({ sum, moved }) => [sum, moved > 0])).toEqual([
    [0, true],
    [0, true],
  ])
  expect((await call('GET', '/v1/payments/all', session)).body).toMatchObject({ total: 1 })
})

test('each key’s payments go to its own provider, and to no other', async () => {
  await pay(trial, sandbox)
  expect([real.charges.length, sandbox.charges.length]).toEqual([0, 1])
  await pay(live, real)
  expect([real.charges.length, sandbox.charges.length]).toEqual([1, 1])
})

describe('a test key with a real number', () => {
  const told = 'A test key rings test numbers only: 077 111 1111, 077 222 2222'

  test('is told the test numbers when it creates a payment', async () => {
    const { status, body } = await create(trial, { customer: { phone: '+263 77 123 4567' } })
    expect([status, body]).toMatchObject([422, { errors: [{ field: 'customer.phone', message: told }] }])
    expect((await create(trial, { customer: { phone: '0771111111' } })).status).toBe(201)
    expect((await create(live, { customer: { phone: '+263 77 123 4567' } })).status).toBe(201)
  })

  test('pays only with a connector of its mode: without one, by no method', async () => {
    const none = createCheckout({ ...ctx, providers: registryOf([named(real, 'wallet')], []) })
    const tokenOf = ({ payment_url }: PublicPayment) => payment_url.slice(payment_url.lastIndexOf('/') + 1)
    const tried = tokenOf((await create(trial)).body)
    expect(await none.view(tried)).toMatchObject({ methods: [], isTest: true })
    const form = new URLSearchParams({ method: 'ecocash', phone: '0771111111' })
    expect(await none.submit(tried, form)).toMatchObject({ field: 'method' })
    expect(await none.view(tokenOf((await create(live)).body))).toMatchObject({
      methods: ['ecocash'],
      isTest: false,
    })
  })
})

test('stopping the application stops both keys, and letting it go on both again', async () => {
  const set = (status: string) =>
    call('PATCH', `/v1/applications/${application._id}/status`, session, { status })
  const both = () => Promise.all([live, trial].map(async (who) => (await create(who)).status))
  expect(await both()).toEqual([201, 201])
  await set('inactive')
  await expect.poll(both, { interval: 10 }).toEqual([403, 403])
  await set('active')
  await expect.poll(both, { interval: 10 }).toEqual([201, 201])
})

test('one key is replaced without the other, and what the old one made stays with the new one', async () => {
  const tried = (await create(trial)).body
  const url = `/v1/applications/${application._id}/regenerate-key`
  const { newApplicationKey } = (await call('PATCH', `${url}?mode=test`, session)).body
  expect(newApplicationKey).toMatch(/^mk_test_/)
  await expect.poll(async () => (await create(trial)).status, { interval: 10 }).toBe(401)
  expect((await create(live)).status).toBe(201)
  const again = { authorization: `Bearer ${newApplicationKey}` }
  expect((await call('GET', `/api/v1/payments/${tried.id}`, again)).status).toBe(200)
  const shown = (await call<Application>('GET', `/v1/applications/${application._id}`, session)).body
  expect(shown).toMatchObject({ applicationKey: application.applicationKey, testKey: newApplicationKey })

  expect((await call('PATCH', url, session)).body.newApplicationKey).toMatch(/^mk_live_/)
  await expect.poll(async () => (await create(live)).status, { interval: 10 }).toBe(401)
  expect((await create(again)).status).toBe(201)
  expect((await call('PATCH', `${url}?mode=both`, session)).status).toBe(422)
})

test('many applications share one book for tests, opened by whoever comes first; it is the merchant’s as the other is', async () => {
  const made = await Promise.all(
    Array.from({ length: 8 }, () =>
      call<Application>('POST', '/v1/applications/create', session, {
        applicationName: 'Shop',
        description: 'Sells things',
        category: 'Retail',
      }),
    ),
  )
  const books = await Promise.all(
    made.map(async ({ body }) => (await ownerOf({ authorization: `Bearer ${body.testKey}` })).merchantId),
  )
  expect(new Set(books).size).toBe(1)
  const [book] = books
  expect(book).not.toBe(merchantId)
  expect(book && (await merchantProfile(ctx.db.kysely, book))).toEqual(
    await merchantProfile(ctx.db.kysely, merchantId),
  )
  expect((await call('GET', '/v1/applications/all', session)).body.applications).toHaveLength(9)
})

test('an application of before books had two keys is given its test key when one is asked for', async () => {
  const book = (await ownerOf(trial)).merchantId
  const { pool } = ctx.db
  await pool.query('delete from application_keys where merchant_id = $1', [uuidOf(book)])
  await pool.query('delete from applications where merchant_id = $1', [uuidOf(book)])
  const url = `/v1/applications/${application._id}`
  expect((await call<Application>('GET', url, session)).body.testKey).toBeNull()
  const { newApplicationKey } = (await call('PATCH', `${url}/regenerate-key?mode=test`, session)).body
  expect((await create({ authorization: `Bearer ${newApplicationKey}` })).status).toBe(201)
})

test('the database keeps one book for tests to a merchant, and books as they are', async () => {
  const book = uuidOf((await ownerOf(trial)).merchantId)
  const { pool } = ctx.db
  const owner = uuidOf(merchantId)
  await expect(pool.query('insert into books values (gen_random_uuid(), $1)', [owner])).rejects.toMatchObject(
    { code: '23505' },
  )
  await expect(pool.query('update books set merchant_id = id where id = $1', [book])).rejects.toMatchObject({
    code: '23001',
  })
  await expect(pool.query('delete from books where id = $1', [book])).rejects.toMatchObject({ code: '23001' })
})

test('what was paid with a test key is found, given back and told of in its own book alone', async () => {
  const { id } = await pay(trial, sandbox)
  const book = (await ownerOf(trial)).merchantId
  expect(await findPayment(ctx.db.kysely, merchantId, id)).toBeNull()
  expect(await findPayment(ctx.db.kysely, book, id)).toMatchObject({ status: 'completed' })

  expect((await call('POST', '/api/v1/refunds', live, { payment: id })).status).toBe(404)
  const refund = await call('POST', '/api/v1/refunds', trial, { payment: id, amount: 5 })
  expect([refund.status, refund.body]).toMatchObject([201, { status: 'completed', amount: 5 }])
  expect([real.refunds.length, sandbox.refunds.length]).toEqual([0, 1])

  const webhook = { url: 'http://127.0.0.1:9/hook', events: ['payment.completed'] }
  expect((await call('POST', '/api/v1/webhooks', trial, webhook)).status).toBe(201)
  for (const path of ['refunds', 'webhooks', 'events']) {
    expect((await call('GET', `/api/v1/${path}`, live)).body.data, path).toEqual([])
    expect((await call('GET', `/api/v1/${path}`, trial)).body.data, path).not.toEqual([])
  }
})

describe('a gateway for tests', () => {
  test('has no live keys: it says so of one, and makes none', async () => {
    const { ctx: testing } = await makeWorld()
    const only = await makeApp(testing)
    const liveKey = await only.inject({ url: '/api/v1/payments', headers: live })
    expect(liveKey.statusCode).toBe(401)
    expect(liveKey.json()).toMatchObject({
      code: 'invalid_key',
      detail: 'Live keys do not work here: this gateway is for tests. Use a key that starts with mk_test_',
    })
    const config = await only.inject({ url: '/v1/config' })
    expect(config.json().mode).toBe('test')
    const merchant = (await makeMerchant(testing)).merchantId
    const headers = { authorization: `Bearer ${(await makeSession(testing, merchant)).authToken}` }
    const made = await only.inject({
      method: 'POST',
      url: '/v1/applications/create',
      headers,
      payload: { applicationName: 'Shop', description: 'Sells things', category: 'Retail' },
    })
    expect(made.json()).toMatchObject({ applicationKey: expect.stringMatching(/^mk_test_/), testKey: null })
    const asked = await only.inject({
      method: 'PATCH',
      url: `/v1/applications/${made.json()._id}/regenerate-key?mode=live`,
      headers,
    })
    expect(asked.statusCode).toBe(422)
    await only.close()
    await testing.close()
  })

  test('does not start on a database of real money, nor a live one on a database of tests; the first start decides', async () => {
    const { ctx: fresh } = await makeWorld()
    await Promise.all([settleMode(fresh.db, 'live'), settleMode(fresh.db, 'live')])
    await settleMode(fresh.db, 'live')
    await expect(settleMode(fresh.db, 'test')).rejects.toThrow(
      /^This database is of a gateway in live mode, and MODE is test: .* Set MODE=live, or give/,
    )
    await expect(fresh.db.pool.query("update deployment set mode = 'test'")).rejects.toMatchObject({
      code: '23001',
    })
    await fresh.close()
  })
})

import type { Application } from '@muripo/contract/applications'
import type { PublicPayment } from '@muripo/contract/payments'
import { beforeEach, expect, test } from 'vitest'
import { merchantProfile } from '../src/modules/identity/index.ts'
import { paid, type ScriptedProvider } from '../src/modules/payments/factory.ts'
import { aggregatePaymentStats, startAttempt } from '../src/modules/payments/index.ts'
import { findPayment } from '../src/modules/payments/payment/store-payment.ts'
import { uuidOf } from '../src/platform/ids.ts'
import { applicationForm, type LiveShop, liveGateway, TEST_NUMBERS } from './live-gateway.ts'

const { ctx, real, sandbox, call, create, ownerOf, openShop } = await liveGateway()
let shop: LiveShop
beforeEach(async () => {
  shop = await openShop()
})

async function pay(who: LiveShop['live'], script: ScriptedProvider): Promise<PublicPayment> {
  const { body } = await create(who)
  script.charge = async ({ amount }) => paid(amount)
  const { accountId: testAccountId } = await ownerOf(who)
  const started = await startAttempt(ctx, testAccountId, body.id, {
    method: 'ecocash',
    phone: TEST_NUMBERS[0] ?? '',
  })
  await started.answered
  return body
}

test('the data of one key cannot be read, listed, counted or matched by the other, by idempotency key or customer', async () => {
  const customer = { email: 'rudo@shop.example' }
  const one = await create(shop.live, { customer }, 'same')
  const other = await create(shop.trial, { customer, amount: 99 }, 'same')
  expect([one.status, other.status]).toEqual([201, 201])
  expect(other.body.customer.id).not.toBe(one.body.customer.id)
  for (const [who, theirs, others] of [
    [shop.live, one.body, other.body],
    [shop.trial, other.body, one.body],
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
  const tried = await pay(shop.trial, sandbox)
  await aggregatePaymentStats(ctx)
  expect((await call('GET', '/v1/payments/all', shop.session)).body).toMatchObject({ payments: [], total: 0 })
  expect((await call('GET', `/v1/payments/${tried.id}`, shop.session)).status).toBe(404)
  const stats = await call('GET', '/v1/stats/dashboard', shop.session)
  expect(stats.body.data).toMatchObject({ totalRevenueToday: 0, totalCompleted: 0, totalApplications: 1 })

  await pay(shop.live, real)
  const { rows } = await ctx.db.pool.query(
    `select account_id, sum(balance_minor)::int as sum, max(abs(balance_minor))::int as moved from ledger_balances
     where account_id = any($1) group by 1`,
    [[uuidOf(shop.merchantId), uuidOf((await ownerOf(shop.trial)).accountId)]],
  )
  expect(rows).toHaveLength(2)
  expect(rows.map(({ sum, moved }) => [sum, moved > 0])).toEqual([
    [0, true],
    [0, true],
  ])
  expect((await call('GET', '/v1/payments/all', shop.session)).body).toMatchObject({ total: 1 })
})

test('each key’s payments go to its own provider, and to no other', async () => {
  await pay(shop.trial, sandbox)
  expect([real.charges.length, sandbox.charges.length]).toEqual([0, 1])
  await pay(shop.live, real)
  expect([real.charges.length, sandbox.charges.length]).toEqual([1, 1])
})

test('the applications of a merchant share one test environment, which the first request creates; its profile is the merchant’s', async () => {
  const made = await Promise.all(
    Array.from({ length: 8 }, () =>
      call<Application>('POST', '/v1/applications/create', shop.session, applicationForm),
    ),
  )
  const accountIds = await Promise.all(
    made.map(async ({ body }) => (await ownerOf({ authorization: `Bearer ${body.testKey}` })).accountId),
  )
  expect(new Set(accountIds).size).toBe(1)
  const [testAccountId] = accountIds
  expect(testAccountId).not.toBe(shop.merchantId)
  expect(testAccountId && (await merchantProfile(ctx.db.kysely, testAccountId))).toEqual(
    await merchantProfile(ctx.db.kysely, shop.merchantId),
  )
  expect((await call('GET', '/v1/applications/all', shop.session)).body.applications).toHaveLength(9)
})

test('the database allows one test environment for each merchant, and refuses changes of environments', async () => {
  const testAccountId = uuidOf((await ownerOf(shop.trial)).accountId)
  const { pool } = ctx.db
  const owner = uuidOf(shop.merchantId)
  await expect(
    pool.query('insert into environments values (gen_random_uuid(), $1)', [owner]),
  ).rejects.toMatchObject({ code: '23505' })
  await expect(
    pool.query('update environments set merchant_id = id where id = $1', [testAccountId]),
  ).rejects.toMatchObject({
    code: '23001',
  })
  await expect(pool.query('delete from environments where id = $1', [testAccountId])).rejects.toMatchObject({
    code: '23001',
  })
})

test('an environment of no merchant is the house, which has a reserved id and stays', async () => {
  const { pool } = ctx.db
  const { rows } = await pool.query("select id from environments where kind = 'house'")
  expect(rows).toHaveLength(1)
  const kinds = await pool.query('select kind from environments where merchant_id = $1 order by 1', [
    uuidOf(shop.merchantId),
  ])
  expect(kinds.rows.map(({ kind }) => kind)).toEqual(['merchant', 'tests'])
  await expect(pool.query('insert into environments (id) values (gen_random_uuid())')).rejects.toMatchObject({
    constraint: 'environments_house_has_a_reserved_id',
  })
  for (const statement of [
    "delete from environments where kind = 'house'",
    'update environments set id = id',
  ])
    await expect(pool.query(statement)).rejects.toMatchObject({ code: '23001' })
})

test('a payment of a test key is found, refunded and reported in the test environment alone', async () => {
  const { id } = await pay(shop.trial, sandbox)
  const testAccountId = (await ownerOf(shop.trial)).accountId
  expect(await findPayment(ctx.db.kysely, shop.merchantId, id)).toBeNull()
  expect(await findPayment(ctx.db.kysely, testAccountId, id)).toMatchObject({ status: 'completed' })

  expect((await call('POST', '/api/v1/refunds', shop.live, { payment: id })).status).toBe(404)
  const refund = await call('POST', '/api/v1/refunds', shop.trial, { payment: id, amount: 5 })
  expect([refund.status, refund.body]).toMatchObject([201, { status: 'completed', amount: 5 }])
  expect([real.refunds.length, sandbox.refunds.length]).toEqual([0, 1])

  const webhook = { url: 'http://127.0.0.1:9/hook', events: ['payment.completed'] }
  expect((await call('POST', '/api/v1/webhooks', shop.trial, webhook)).status).toBe(201)
  for (const path of ['refunds', 'webhooks', 'events']) {
    expect((await call('GET', `/api/v1/${path}`, shop.live)).body.data, path).toEqual([])
    // An event is listed once earlier transactions have ended, also those of other test files.
    await expect
      .poll(async () => (await call('GET', `/api/v1/${path}`, shop.trial)).body.data, { message: path })
      .not.toEqual([])
  }
})

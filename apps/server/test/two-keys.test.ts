import type { Application } from '@muripo/contract/applications'
import type { PublicPayment } from '@muripo/contract/payments'
import { beforeEach, describe, expect, test } from 'vitest'
import { createCheckout } from '../src/modules/checkout/index.ts'
import { makeMerchant, makeSession } from '../src/modules/identity/factory.ts'
import { registryOf } from '../src/modules/providers/registry.ts'
import { coordinatorOf } from '../src/platform/db/databases.ts'
import { recordMode } from '../src/platform/db/deployment-mode.ts'
import { uuidOf } from '../src/platform/ids.ts'
import { makeApp } from './app.ts'
import { applicationForm, type LiveShop, liveGateway } from './live-gateway.ts'
import { makeWorld } from './world.ts'

const { ctx, wallet, call, create, ownerOf, openShop } = await liveGateway()
let shop: LiveShop
beforeEach(async () => {
  shop = await openShop()
})

test('an application has a key of each kind; the dashboard’s is the live one', () => {
  expect(shop.application.applicationKey).toMatch(/^mk_live_/)
  expect(shop.application.testKey).toMatch(/^mk_test_/)
})

describe('a test key with a real number', () => {
  const reported = 'A test key accepts test numbers only: 077 111 1111, 077 222 2222'

  test('gets the test numbers when it creates a payment', async () => {
    const { status, body } = await create(shop.trial, { customer: { phone: '+263 77 123 4567' } })
    expect([status, body]).toMatchObject([422, { errors: [{ field: 'customer.phone', message: reported }] }])
    expect((await create(shop.trial, { customer: { phone: '0771111111' } })).status).toBe(201)
    expect((await create(shop.live, { customer: { phone: '+263 77 123 4567' } })).status).toBe(201)
  })

  test('pays only with a connector of its mode: without one, by no method', async () => {
    const none = createCheckout({ ...ctx, providers: registryOf([wallet], []) })
    const tokenOf = ({ payment_url }: PublicPayment) => payment_url.slice(payment_url.lastIndexOf('/') + 1)
    const tried = tokenOf((await create(shop.trial)).body)
    expect(await none.view(tried, '203.0.113.7')).toMatchObject({ methods: [], isTest: true })
    const form = new URLSearchParams({ method: 'ecocash', phone: '0771111111' })
    expect(await none.submit(tried, form)).toMatchObject({ field: 'method' })
    expect(await none.view(tokenOf((await create(shop.live)).body), '203.0.113.7')).toMatchObject({
      methods: [{ method: 'ecocash' }],
      isTest: false,
    })
  })
})

test('stopping the application stops both keys, and the activation activates both again', async () => {
  const set = (status: string) =>
    call('PATCH', `/v1/applications/${shop.application._id}/status`, shop.session, { status })
  const both = () => Promise.all([shop.live, shop.trial].map(async (who) => (await create(who)).status))
  expect(await both()).toEqual([201, 201])
  await set('inactive')
  await expect.poll(both, { interval: 10 }).toEqual([403, 403])
  await set('active')
  await expect.poll(both, { interval: 10 }).toEqual([201, 201])
})

test('one key is replaced without the other, and payments of the old one belong to the new one', async () => {
  const tried = (await create(shop.trial)).body
  const url = `/v1/applications/${shop.application._id}/regenerate-key`
  const { newApplicationKey } = (await call('PATCH', `${url}?mode=test`, shop.session)).body
  expect(newApplicationKey).toMatch(/^mk_test_/)
  await expect.poll(async () => (await create(shop.trial)).status, { interval: 10 }).toBe(401)
  expect((await create(shop.live)).status).toBe(201)
  const again = { authorization: `Bearer ${newApplicationKey}` }
  expect((await call('GET', `/api/v1/payments/${tried.id}`, again)).status).toBe(200)
  const shown = (await call<Application>('GET', `/v1/applications/${shop.application._id}`, shop.session))
    .body
  expect(shown).toMatchObject({ applicationKey: shop.application.applicationKey, testKey: newApplicationKey })

  expect((await call('PATCH', url, shop.session)).body.newApplicationKey).toMatch(/^mk_live_/)
  await expect.poll(async () => (await create(shop.live)).status, { interval: 10 }).toBe(401)
  expect((await create(again)).status).toBe(201)
  expect((await call('PATCH', `${url}?mode=both`, shop.session)).status).toBe(422)
})

test('an application from before test environments receives its test key on request', async () => {
  const book = (await ownerOf(shop.trial)).accountId
  const { pool } = ctx.db
  await pool.query('delete from application_keys where account_id = $1', [uuidOf(book)])
  await pool.query('alter table applications disable trigger applications_no_delete')
  await pool.query('delete from applications where account_id = $1', [uuidOf(book)])
  await pool.query('alter table applications enable trigger applications_no_delete')
  const url = `/v1/applications/${shop.application._id}`
  expect((await call<Application>('GET', url, shop.session)).body.testKey).toBeNull()
  const { newApplicationKey } = (await call('PATCH', `${url}/regenerate-key?mode=test`, shop.session)).body
  expect((await create({ authorization: `Bearer ${newApplicationKey}` })).status).toBe(201)
})

describe('a test gateway', () => {
  test('has no live keys: it reports so, and creates none', async () => {
    const { ctx: testing } = await makeWorld()
    const only = await makeApp(testing)
    const liveKey = await only.inject({ url: '/api/v1/payments', headers: shop.live })
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
      payload: applicationForm,
    })
    expect(made.json()).toMatchObject({ applicationKey: expect.stringMatching(/^mk_test_/), testKey: null })
    const response = await only.inject({
      method: 'PATCH',
      url: `/v1/applications/${made.json()._id}/regenerate-key?mode=live`,
      headers,
    })
    expect(response.statusCode).toBe(422)
    await only.close()
    await testing.close()
  })

  test('does not start on a live database, nor a live one on a test database; the first start decides', async () => {
    const { ctx: fresh } = await makeWorld()
    await Promise.all([
      recordMode(coordinatorOf(fresh).db, 'live'),
      recordMode(coordinatorOf(fresh).db, 'live'),
    ])
    await recordMode(coordinatorOf(fresh).db, 'live')
    await expect(recordMode(coordinatorOf(fresh).db, 'test')).rejects.toThrow(
      /^This database is of a gateway in live mode, and MODE is test: .* Set MODE=live, or give/,
    )
    await expect(fresh.db.pool.query("update deployment set mode = 'test'")).rejects.toMatchObject({
      code: '23001',
    })
    await fresh.close()
  })
})

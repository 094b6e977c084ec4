import type { Application } from '@muripo/contract/applications'
import { KeyId } from '@muripo/contract/ids'
import { decodeJwt } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { deviceCookie } from '../src/modules/identity/devices/visitor.ts'
import { makeDevice, makeSession } from '../src/modules/identity/factory.ts'
import { makePaid, makePayment } from '../src/modules/payments/factory.ts'
import { idFrom, uuidOf } from '../src/platform/ids.ts'
import { makeApp, makeCaller } from './app.ts'
import { type LiveShop, liveGateway } from './live-gateway.ts'
import { makeWorld } from './world.ts'

const { ctx, app, call, openShop } = await liveGateway()
let shop: LiveShop
beforeEach(async () => {
  shop = await openShop()
  ctx.mails.length = 0
})

const applicationUrl = () => `/v1/applications/${shop.application._id}`
const hook = (name: string) => ({ url: `https://${name}.example.com/hooks`, events: ['payment.completed'] })
const subjects = () => ctx.mails.map(({ subject }) => subject)
const sessionIn = ({ authorization }: { authorization: string }) => decodeJwt(authorization.slice(7)).sid
const logged = async (subject: string, action: string, { db } = ctx) =>
  db.kysely
    .selectFrom('audit_log')
    .select(['credential', 'address', 'details'])
    .where('subject', '=', subject)
    .where('action', '=', action)
    .orderBy('id')
    .execute()

describe('a live key', () => {
  test('is masked in the list and in the answers to changes, and a test key is not', async () => {
    const { applicationKey, testKey } = shop.application
    const masked = `mk_live_…${applicationKey?.slice(-4)}`
    const { body } = await call<{ applications: Application[] }>('GET', '/v1/applications/all', shop.session)
    expect(body.applications).toMatchObject([{ applicationKey: masked, testKey }])
    const changed = await call('PATCH', `${applicationUrl()}/status`, shop.session, { status: 'inactive' })
    expect(changed.body).toMatchObject({ applicationKey: masked, testKey })
  })

  test('is whole in the call for one application, and each time is in the log with the session and the address', async () => {
    for (let time = 0; time < 2; time += 1) {
      const { body } = await call<Application>('GET', applicationUrl(), shop.session)
      expect(body.applicationKey).toBe(shop.application.applicationKey)
    }
    await call('GET', '/v1/applications/all', shop.session)
    const line = { credential: sessionIn(shop.session), address: '127.0.0.1', details: {} }
    expect(await logged(shop.application._id, 'application.key_shown')).toEqual([line, line])
    expect(await logged(shop.application._id, 'application.created')).toEqual([
      { ...line, details: { name: 'Shop', keys: ['live', 'test'] } },
    ])
  })

  test('is mailed when a device first reads it, and once for a session of an unrecognised device', async () => {
    const show = (headers: Record<string, string>) => call('GET', applicationUrl(), headers)
    const device = await makeDevice(ctx, shop.merchantId)
    const known = { ...shop.session, cookie: deviceCookie(ctx.config, device).split(';', 1)[0] ?? '' }
    for (let time = 0; time < 2; time += 1) await show(known)
    expect(subjects()).toEqual(['A live key of yours was shown on a new device'])
    const other = { authorization: `Bearer ${(await makeSession(ctx, shop.merchantId)).authToken}` }
    for (let time = 0; time < 2; time += 1) await show(other)
    expect(subjects()).toHaveLength(2)
    expect(ctx.mails[0]?.text).not.toContain('mk_live_')
  })

  test('that is revoked is not stored, not even encrypted', async () => {
    await call('PATCH', `${applicationUrl()}/regenerate-key`, shop.session)
    const { rows } = await ctx.db.pool.query(
      'select mode, revoked_at is null as active, encrypted is null as deleted from application_keys where application_id = $1 order by mode, revoked_at',
      [uuidOf(shop.application._id)],
    )
    expect(rows).toEqual([
      { mode: 'live', active: false, deleted: true },
      { mode: 'live', active: true, deleted: false },
      { mode: 'test', active: true, deleted: false },
    ])
  })
})

describe('webhook endpoints', () => {
  test('that a test key created are listed, changed and deleted beside the live ones', async () => {
    const live = await call('POST', `${applicationUrl()}/webhooks`, shop.session, hook('live'))
    expect(live.body).toMatchObject({ mode: 'live' })
    await call('POST', '/api/v1/webhooks', shop.trial, hook('trial'))
    const { body } = await call('GET', `${applicationUrl()}/webhooks`, shop.session)
    expect(body.webhooks).toMatchObject([{ mode: 'test' }, { mode: 'live' }])
    const [trial] = body.webhooks
    const url = `${applicationUrl()}/webhooks/${trial._id}`
    expect(await call('PATCH', url, shop.session, { status: 'disabled' })).toMatchObject({
      status: 200,
      body: { mode: 'test', status: 'disabled' },
    })
    const removed = await app.inject({ method: 'DELETE', url, headers: shop.session })
    expect(removed.statusCode).toBe(204)
    const left = await call('GET', `${applicationUrl()}/webhooks`, shop.session)
    expect(left.body.webhooks).toMatchObject([{ mode: 'live' }])
  })

  test('that are added, changed or get another secret are mailed with their host and no secret', async () => {
    const { body } = await call('POST', '/api/v1/webhooks', shop.live, hook('mine'))
    await call('PATCH', `/api/v1/webhooks/${body.id}`, shop.live, { url: hook('moved').url })
    const rotated = await call('POST', `${applicationUrl()}/webhooks/${body.id}/rotate-secret`, shop.session)
    expect(subjects()).toEqual([
      'A webhook endpoint was added in your Muripo account',
      'A webhook endpoint was changed in your Muripo account',
      'The secret of a webhook endpoint was rotated in your Muripo account',
    ])
    const [added, changed, secret] = ctx.mails.map(({ text }) => text)
    expect(added).toMatch(/Address: mine\[\.\]example\[\.\]com\n.*done with an application key/s)
    expect(changed).toMatch(/Address: moved\[\.\]example\[\.\]com\nAddress before: mine\[\.\]example/)
    expect(secret).toContain('done on your dashboard')
    for (const text of [added, changed, secret]) {
      expect(text).not.toContain(body.secret)
      expect(text).not.toContain(rotated.body.secret)
    }
  })

  test('are in the email about a regenerated key, those of test keys too', async () => {
    await call('POST', '/api/v1/webhooks', shop.live, hook('mine'))
    await call('POST', '/api/v1/webhooks', shop.trial, hook('stranger'))
    ctx.mails.length = 0
    const { body } = await call('PATCH', `${applicationUrl()}/regenerate-key`, shop.session)
    expect(subjects()).toEqual(['An application key of yours was regenerated'])
    const text = ctx.mails[0]?.text ?? ''
    expect(text).toContain('Webhook endpoint 1: stranger[.]example[.]com')
    expect(text).toContain('Webhook endpoint 2: mine[.]example[.]com')
    for (const key of [body.newApplicationKey, shop.application.applicationKey])
      expect(text).not.toContain(key)
  })
})

test('a refund and a cancel by API are in the log with the key, an export with the session', async () => {
  const world = await makeWorld()
  const gateway = await makeApp(world.ctx)
  const caller = await makeCaller(world.ctx)
  const paid = await makePaid(world.ctx, caller.owner, world.provider)
  const pending = await makePayment(world.ctx, caller.owner)
  const post = (url: string, payload: object) =>
    gateway.inject({ method: 'POST', url, headers: caller.withKey, payload })
  const refunded = await post('/api/v1/refunds', { payment: paid.id, amount: 1 })
  expect(refunded.statusCode).toBe(201)
  expect((await post(`/api/v1/payments/${pending.id}/cancel`, {})).statusCode).toBe(200)
  const by = { credential: idFrom(KeyId, caller.owner.keyId), address: '127.0.0.1' }
  expect(await logged(paid.id, 'payment.refund_opened', world.ctx)).toEqual([
    { ...by, details: { refundId: refunded.json().id, amount: 1, currency: paid.amount.currency } },
  ])
  expect(await logged(pending.id, 'payment.cancelled', world.ctx)).toEqual([{ ...by, details: {} }])
  const url = '/v1/payments/export?status=COMPLETED'
  expect((await gateway.inject({ method: 'GET', url, headers: caller.withSession })).statusCode).toBe(200)
  expect(await logged(caller.merchantId, 'payments.exported', world.ctx)).toEqual([
    {
      credential: sessionIn(caller.withSession),
      address: '127.0.0.1',
      details: { rows: 1, filters: ['status'] },
    },
  ])
  await gateway.close()
  await world.ctx.close()
})

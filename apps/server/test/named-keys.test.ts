import type { Tokens } from '@muripo/contract/auth'
import { ApplicationId } from '@muripo/contract/ids'
import { type KeyPreset, keyPermissions, keyPresets } from '@muripo/contract/permissions'
import type { RouteSpec } from '@muripo/contract/route'
import type { FastifyRequest } from 'fastify'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { mailEndingKeys } from '../src/modules/applications/actions/mail-ending-keys.ts'
import { makeMember, makeSession } from '../src/modules/identity/factory.ts'
import { merchantProfile, sessionAuth } from '../src/modules/identity/index.ts'
import { uuidOf } from '../src/platform/ids.ts'
import { type Caller, makeApp, makeCaller } from './app.ts'
import { withRoutes } from './mounted-routes.ts'
import { possessionsOf } from './possessions.ts'
import { type Named, trials } from './tenant-wall-calls.ts'
import { makeShop, makeWorld } from './world.ts'

const world = await makeWorld()
const { ctx } = world
const { app, routes } = await withRoutes(() => makeApp(ctx))
let shop: Caller
let owner: Tokens

beforeEach(async () => {
  shop = await makeCaller(ctx)
  owner = await makeSession(ctx, shop.merchantId)
})
afterAll(async () => {
  await app.close()
  await ctx.close()
})

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
async function call(
  method: Method,
  url: string,
  token: string,
  payload?: object,
  remoteAddress = '203.0.113.7',
) {
  const response = await app.inject({
    method,
    url,
    remoteAddress,
    headers: { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  })
  return { status: response.statusCode, body: response.payload ? response.json() : null }
}
const keysPath = () => `/v1/applications/${shop.applicationId}/keys`
const make = (body: object, by = owner) => call('POST', keysPath(), by.authToken, { name: 'Shop', ...body })
const order = { amount: 5, currency: 'USD', description: 'Basket' }
const pay = (key: string, address?: string) => call('POST', '/api/v1/payments', key, order, address)
const read = (key: string) => call('GET', '/api/v1/payments', key)

describe('a named key', () => {
  test('is shown once, and does what its permissions say', async () => {
    const { status, body } = await make({ permissions: ['payments.read'] })
    expect(status).toBe(201)
    expect(body.secret).toMatch(/^mk_test_/)
    expect((await read(body.secret)).status).toBe(200)
    expect(await pay(body.secret)).toMatchObject({
      status: 403,
      body: { code: 'not_permitted', detail: 'This key lacks the permission payments.write' },
    })
    const listed = await call('GET', keysPath(), owner.authToken)
    expect(listed.body.keys).toMatchObject([
      { id: body.id, name: 'Shop', permissions: ['payments.read'], expiresAt: null },
    ])
    expect(JSON.stringify(listed.body)).not.toContain(body.secret)
    const { rows } = await ctx.db.pool.query('select encrypted from application_keys where id = $1', [
      uuidOf(body.id),
    ])
    expect(rows).toEqual([{ encrypted: null }])
  })

  test('leaves the key of the application as it is, which leaves it', async () => {
    const { body } = await make({ preset: 'online_shop' })
    expect((await read(shop.applicationKey)).status).toBe(200)
    await call('PATCH', `/v1/applications/${shop.applicationId}/regenerate-key`, owner.authToken)
    expect((await read(shop.applicationKey)).status).toBe(401)
    expect((await pay(body.secret)).status).toBe(201)
  })

  test('reaches no payment of another application', async () => {
    const sibling = await makeShop(ctx, shop.merchantId)
    const { body } = await make({ preset: 'online_shop' })
    const { body: payment } = await pay(sibling.applicationKey)
    expect((await call('GET', `/api/v1/payments/${payment.id}`, body.secret)).status).toBe(404)
  })

  test('ends at its time, also between its authentication and its write', async () => {
    const expiresAt = new Date(ctx.clock.now().getTime() + 60_000).toISOString()
    const { body } = await make({ preset: 'online_shop', expiresAt })
    expect((await pay(body.secret)).status).toBe(201)
    ctx.clock.advance(60_000)
    expect((await pay(body.secret)).status).toBe(401)
    expect((await read(body.secret)).status).toBe(401)
  })

  test('works from its networks only', async () => {
    const { body } = await make({ preset: 'till', allowedAddresses: ['203.0.113.0/24', '2001:db8::1'] })
    expect(body.allowedAddresses).toEqual(['203.0.113.0/24', '2001:db8::1/128'])
    expect((await pay(body.secret)).status).toBe(201)
    expect((await pay(body.secret, '2001:db8::1')).status).toBe(201)
    expect(await pay(body.secret, '198.51.100.1')).toMatchObject({
      status: 403,
      body: { code: 'not_permitted' },
    })
    await call('PATCH', `${keysPath()}/${body.id}`, owner.authToken, { allowedAddresses: ['198.51.100.1'] })
    expect((await pay(body.secret, '198.51.100.1')).status).toBe(201)
    await call('PATCH', `${keysPath()}/${body.id}`, owner.authToken, { allowedAddresses: null })
    expect((await pay(body.secret, '192.0.2.1')).status).toBe(201)
  })

  test.each([
    [{ permissions: [] }, 'permissions'],
    [{ permissions: ['everything'] }, 'permissions'],
    [{}, 'permissions'],
    [{ preset: 'till', permissions: ['payments.read'] }, 'permissions'],
    [{ preset: 'boss' }, 'preset'],
    [{ preset: 'till', name: '' }, 'name'],
    [{ preset: 'till', name: 'x'.repeat(61) }, 'name'],
    [{ preset: 'till', expiresAt: '2020-01-01T00:00:00.000Z' }, 'expiresAt'],
    [{ preset: 'till', expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ preset: 'till', allowedAddresses: ['203.0.113.0/33'] }, 'allowedAddresses'],
    [{ preset: 'till', allowedAddresses: ['example.com'] }, 'allowedAddresses'],
    [{ preset: 'till', allowedAddresses: Array(21).fill('203.0.113.1') }, 'allowedAddresses'],
    [{ preset: 'till', mode: 'live' }, 'mode'],
  ])('is refused with %j', async (body, field) => {
    const { status, body: problem } = await make(body)
    expect(status).toBe(422)
    expect(problem.errors[0].field).toMatch(new RegExp(`^${field}`))
  })

  test('is one of at most twenty', async () => {
    for (let n = 0; n < 20; n += 1) expect((await make({ preset: 'till' })).status).toBe(201)
    expect((await make({ preset: 'till' })).body.code).toBe('key_limit_reached')
  })

  test('records its last use, without a statement of the call', async () => {
    const { body } = await make({ permissions: ['payments.read'] })
    await read(body.secret)
    await ctx.backgroundTasks.drain()
    const { keys } = (await call('GET', keysPath(), owner.authToken)).body
    expect(keys).toMatchObject([
      { lastUsedAddress: '203.0.113.7', lastUsedAt: expect.stringMatching(/:00\.000Z$/) },
    ])
  })
})

describe('a removed member', () => {
  test('leaves the keys and endpoints that the answer lists, and that still work until they are revoked', async () => {
    const member = await makeMember(ctx, shop.merchantId, 'developer')
    const endpoints = `/v1/applications/${shop.applicationId}/webhooks`
    await make({ preset: 'till' })
    const { body: key } = await make({ preset: 'till', name: 'Counter' }, member.tokens)
    const { body: revoked } = await make({ preset: 'till' }, member.tokens)
    await call('DELETE', `${keysPath()}/${revoked.id}`, owner.authToken)
    const { body: endpoint } = await call('POST', endpoints, member.tokens.authToken, {
      url: 'http://127.0.0.1:9/of-member',
      events: ['payment.completed'],
    })
    const { status, body } = await call('DELETE', `/v1/team/members/${member.personId}`, owner.authToken)
    const application = { id: shop.applicationId, name: 'Shop' }
    expect([status, body]).toEqual([
      200,
      {
        keys: [{ id: key.id, name: 'Counter', application }],
        endpoints: [{ id: endpoint._id, url: 'http://127.0.0.1:9/of-member', application }],
      },
    ])
    expect((await pay(key.secret)).status).toBe(201)
    expect((await call('DELETE', `${keysPath()}/${key.id}`, owner.authToken)).status).toBe(204)
    expect((await pay(key.secret)).status).toBe(401)
    expect((await call('DELETE', `${endpoints}/${endpoint._id}`, owner.authToken)).status).toBe(204)
  })
})

describe('the end of a named key', () => {
  test.each([
    [0, 401],
    [3600, 200],
  ])('with an overlap of %i seconds, the replaced key answers %i', async (overlapSeconds, status) => {
    const { body: first } = await make({ permissions: ['payments.read'] })
    const { body: second } = await call('POST', `${keysPath()}/${first.id}/rotate`, owner.authToken, {
      overlapSeconds,
    })
    expect(second).toMatchObject({ name: 'Shop', permissions: ['payments.read'] })
    expect((await read(second.secret)).status).toBe(200)
    expect((await read(first.secret)).status).toBe(status)
    ctx.clock.advance(overlapSeconds * 1000)
    owner = await makeSession(ctx, shop.merchantId)
    expect((await read(first.secret)).status).toBe(401)
    expect((await call('GET', keysPath(), owner.authToken)).body.keys).toHaveLength(1)
  })

  test('is a revocation, from the next call on', async () => {
    const { body } = await make({ preset: 'till' })
    expect((await call('DELETE', `${keysPath()}/${body.id}`, owner.authToken)).status).toBe(204)
    expect((await pay(body.secret)).status).toBe(401)
    expect((await call('DELETE', `${keysPath()}/${body.id}`, owner.authToken)).status).toBe(404)
  })

  test('is never later, and no permission is added, by any statement', async () => {
    const expiresAt = new Date(ctx.clock.now().getTime() + 60_000).toISOString()
    const { body } = await make({ preset: 'till', expiresAt })
    const later = new Date(ctx.clock.now().getTime() + 120_000).toISOString()
    expect(
      (await call('PATCH', `${keysPath()}/${body.id}`, owner.authToken, { expiresAt: later })).status,
    ).toBe(422)
    for (const change of [
      "permissions = '{refunds.write}'",
      'expires_at = null',
      "expires_at = now() + interval '9 years'",
    ])
      await expect(
        ctx.db.pool.query(`update application_keys set ${change} where id = $1`, [uuidOf(body.id)]),
      ).rejects.toMatchObject({ code: '23001' })
  })

  test('is mailed seven days and one day before, once', async () => {
    const days = (n: number) => new Date(ctx.clock.now().getTime() + n * 86_400_000 - 60_000).toISOString()
    await make({ preset: 'till', name: 'Counter', expiresAt: days(7) })
    await make({ preset: 'till', name: 'Later', expiresAt: days(90) })
    ctx.mails.length = 0
    const round = () => Promise.all([mailEndingKeys(ctx), mailEndingKeys(ctx)])
    await round()
    ctx.clock.advance(6 * 86_400_000)
    await round()
    await round()
    const { email } = await merchantProfile(ctx.db.kysely, shop.merchantId)
    const mailed = ctx.mails.filter(({ to }) => to === email)
    expect(mailed.map(({ subject }) => subject)).toEqual(Array(2).fill('A Muripo key of yours ends soon'))
    expect(mailed[0]?.text).toContain('Counter')
  })

  test('is a report that it was found in public, which answers alike for every key', async () => {
    const report = (key: string) =>
      app
        .inject({ method: 'POST', url: '/v1/keys/leaked', payload: { key } })
        .then(({ statusCode, body }) => [statusCode, body])
    const { body } = await make({ preset: 'till' })
    ctx.mails.length = 0
    const answers = [
      await report(body.secret),
      await report('mk_test_nothing'),
      await report(shop.applicationKey),
    ]
    expect(new Set(answers.map(String)).size).toBe(1)
    expect(answers[0]?.[0]).toBe(202)
    await ctx.backgroundTasks.drain()
    for (const key of [body.secret, shop.applicationKey]) expect((await read(key)).status).toBe(401)
    expect(ctx.mails.map(({ subject }) => subject)).toEqual(
      Array(2).fill('A Muripo key of yours was found in public and is revoked'),
    )
  })

  test('is mailed as found in public to the owner and to the admins who see its application', async () => {
    const sibling = await makeShop(ctx, shop.merchantId)
    const applicationId = ApplicationId.parse(shop.applicationId)
    const told = [
      (await merchantProfile(ctx.db.kysely, shop.merchantId)).email,
      (await makeMember(ctx, shop.merchantId, 'admin')).email,
      (await makeMember(ctx, shop.merchantId, 'admin', [applicationId])).email,
    ]
    await makeMember(ctx, shop.merchantId, 'admin', [sibling.applicationId])
    await makeMember(ctx, shop.merchantId, 'developer')
    const { body } = await make({ preset: 'till' })
    ctx.mails.length = 0
    await app.inject({ method: 'POST', url: '/v1/keys/leaked', payload: { key: body.secret } })
    await ctx.backgroundTasks.drain()
    expect(ctx.mails.map(({ to }) => to).toSorted()).toEqual(told.toSorted())
  })
})

describe('of the team', () => {
  test.each(['finance', 'support', 'cashier', 'viewer'] as const)(
    '%s makes and sees no key',
    async (role) => {
      const { tokens } = await makeMember(ctx, shop.merchantId, role)
      expect((await make({ preset: 'till' }, tokens)).status).toBe(403)
      const { status, body } = await call('GET', `/v1/applications/${shop.applicationId}`, tokens.authToken)
      if (status === 200) expect(body.applicationKey).toMatch(/^mk_test_….{4}$/)
    },
  )

  test('who is an admin no more while a call runs makes no key of an admin', async () => {
    const { tokens, personId } = await makeMember(ctx, shop.merchantId, 'admin')
    const caller = await sessionAuth(ctx)({
      headers: { authorization: `Bearer ${tokens.authToken}` },
      routeOptions: { config: {} },
    } as FastifyRequest)
    const spec = { access: 'keys.write', perApplication: true } as RouteSpec
    const confirm = () => ctx.db.tx((tx) => sessionAuth(ctx).confirm?.(caller, spec, tx) ?? Promise.reject())
    await confirm()
    await ctx.db.pool.query("update memberships set role = 'developer' where person_id = $1", [
      uuidOf(personId),
    ])
    await expect(confirm()).rejects.toMatchObject({ code: 'not_permitted' })
  })

  test('developer makes a test key with any permission', async () => {
    const { tokens } = await makeMember(ctx, shop.merchantId, 'developer')
    expect((await make({ permissions: keyPermissions }, tokens)).status).toBe(201)
  })
})

describe.each(Object.keys(keyPresets) as KeyPreset[])('the preset %s', (preset) => {
  let named: Named

  test('makes exactly the calls of its permissions', async () => {
    named = await possessionsOf(world, shop)
    const { body } = await make({ preset })
    const wrong: string[] = []
    for (const { method, url, spec } of routes.filter(
      (route) => route.url.startsWith('/api/v1/') && route.spec,
    )) {
      const trial = trials[`${method} ${url}`]
      const [input = {}] = trial && 'inputs' in trial ? trial.inputs(named) : []
      const path = url.replace(/:(\w+)/g, (_, name: string) => input.params?.[name] ?? '')
      const has = (keyPresets[preset] as readonly string[]).includes(String(spec?.access))
      const { body: answer } = await call(method as Method, path, body.secret)
      if ((answer?.code === 'not_permitted') === has) wrong.push(`${method} ${url}: ${answer?.code}`)
    }
    expect(wrong).toEqual([])
  })
})

test('the OpenAPI document names the permission of each call', async () => {
  const { paths } = (await app.inject({ url: '/api/v1/openapi.json' })).json()
  const documented = routes.filter(({ url, spec }) => url.startsWith('/api/v1/') && spec)
  expect(documented.length).toBeGreaterThan(15)
  for (const { method, url, spec } of documented) {
    const operation = paths[url.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()]
    expect(operation.security, `${method} ${url}`).toEqual([{ applicationKey: [spec?.access] }])
  }
})

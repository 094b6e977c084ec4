import type { Tokens } from '@muripo/contract/auth'
import { totpCode } from '@muripo/testing/authenticator-app'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeMember, makeMerchant, makePasskey, makeSession } from '../src/modules/identity/factory.ts'
import { uuidOf } from '../src/platform/ids.ts'
import { type Caller, makeApp, makeCaller } from './app.ts'
import { type MountedRoute, withRoutes } from './mounted-routes.ts'
import { possessionsOf } from './possessions.ts'
import { type Named, trials } from './tenant-wall-calls.ts'
import { makeWorld } from './world.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const password = 'correct horse battery'
const nothingRequired = {
  requireSecondFactor: false,
  requiredSince: null,
  requirePasskey: false,
  passkeyRequiredSince: null,
}

const world = await makeWorld()
const { app, routes } = await withRoutes(() => makeApp(world.ctx))
const { clock } = world.ctx
let caller: Caller
let named: Named

beforeAll(async () => {
  caller = await makeCaller(world.ctx)
  named = await possessionsOf(world, caller)
})
beforeEach(() => policy(true))
afterAll(async () => {
  await app.close()
  await world.ctx.close()
})

const ofSession = routes.flatMap(({ spec, ...route }) =>
  spec !== null && route.url.startsWith('/v1/') && spec.access !== 'anyone'
    ? [{ ...route, spec, name: `${route.method} ${route.url}` }]
    : [],
)
const guarded = ofSession.filter(({ spec }) => spec.stepUp)

async function call(method: string, url: string, { authToken }: Tokens, payload?: object) {
  const response = await app.inject({
    method: method as 'GET',
    url,
    headers: { authorization: `Bearer ${authToken}` },
    ...(payload && { payload }),
  })
  const isJson = String(response.headers['content-type']).includes('json')
  return { status: response.statusCode, body: isJson ? response.json() : null }
}
/** Without a body nothing is changed, and the guard answers before the body is read. */
function send(
  { method, url, name }: Pick<MountedRoute, 'method' | 'url'> & { name: string },
  tokens: Tokens,
) {
  const trial = trials[name]
  const { params = {}, query = {} } =
    (trial && 'inputs' in trial ? trial.inputs(named)[0] : undefined) ?? ({} as Record<string, never>)
  const path = url.replace(/:(\w+)/g, (_, param: string) => encodeURIComponent(params[param] ?? ''))
  return call(method, `${path}?${new URLSearchParams(query)}`, tokens)
}
const codeOf = async (...[route, tokens]: Parameters<typeof send>) => (await send(route, tokens)).body?.code

/** Requires a second factor since a time, or none. */
async function policy(isRequired: boolean, since = new Date(clock.now().getTime() - DAY_MS)): Promise<void> {
  await world.ctx.db.pool.query('update merchants set second_factor_since = $2 where id = $1', [
    uuidOf(caller.merchantId),
    isRequired ? since : null,
  ])
}
const session = () => makeSession(world.ctx, caller.merchantId)
const team = async (tokens: Tokens) => (await call('GET', '/v1/team', tokens)).body
const stepUp = (tokens: Tokens, proof: object) => call('POST', '/v1/account/step-up', tokens, proof)
const probe = async (tokens: Tokens) => (await call('GET', '/v1/payments/export', tokens)).body?.code
/** The session stays in use meanwhile. */
async function after(minutes: number, { refreshToken }: Tokens): Promise<Tokens> {
  clock.advance(minutes * MINUTE_MS)
  const payload = { refreshToken }
  return (await app.inject({ method: 'POST', url: '/v1/auth/refresh-token', payload })).json()
}
/** A member who joined some days ago. */
async function memberOf(daysAgo: number) {
  const member = await makeMember(world.ctx, caller.merchantId, 'admin')
  await world.ctx.db.pool.query('update memberships set created_at = $1 where person_id = $2', [
    new Date(clock.now().getTime() - daysAgo * DAY_MS),
    uuidOf(member.personId),
  ])
  return member.tokens
}

test('calls that move money or trust need a step-up', () => {
  expect(guarded.map(({ name }) => name).toSorted()).toEqual([
    'DELETE /v1/applications/:applicationId/webhooks/:webhookId',
    'DELETE /v1/team/members/:memberId',
    'GET /v1/payments/export',
    'GET /v1/payments/export/movements',
    'PATCH /v1/applications/:applicationId/keys/:keyId',
    'PATCH /v1/applications/:applicationId/regenerate-key',
    'PATCH /v1/applications/:applicationId/webhooks/:webhookId',
    'PATCH /v1/team/members/:memberId',
    'PATCH /v1/team/policy',
    'POST /v1/applications/:applicationId/keys',
    'POST /v1/applications/:applicationId/keys/:keyId/rotate',
    'POST /v1/applications/:applicationId/webhooks',
    'POST /v1/applications/:applicationId/webhooks/:webhookId/rotate-secret',
    'POST /v1/applications/create',
    'POST /v1/payments/refund',
    'POST /v1/team/invitations',
    'POST /v1/team/owner/confirm',
    'PUT /v1/applications/:applicationId/banking',
  ])
})

describe('ten minutes after the sign-in', () => {
  let tokens: Tokens
  beforeEach(async () => {
    tokens = await after(9, await session())
    expect(await probe(tokens)).toBeUndefined()
    tokens = await after(1, tokens)
  })
  const isOpen = async (route: (typeof ofSession)[number]) =>
    !['step_up_required', 'session_invalid'].includes(await codeOf(route, tokens))
  // A deletion needs no body, so it would be done.
  const withBody = guarded.filter(({ method }) => method !== 'DELETE')

  test('each call with a step-up is refused before its body, and no other one', async () => {
    const reads = ofSession.filter(({ method, spec }) => method === 'GET' && !spec.events)
    for (const route of [...guarded, ...reads])
      expect([route.name, (await codeOf(route, tokens)) === 'step_up_required']).toEqual([
        route.name,
        route.spec.stepUp === true,
      ])
  })

  test('no call is refused where the merchant requires no second factor', async () => {
    await policy(false)
    for (const route of withBody) expect([route.name, await isOpen(route)]).toEqual([route.name, true])
  })

  test('the password opens the calls for ten minutes again, in this session only', async () => {
    expect((await stepUp(tokens, { password: 'wrong' })).status).toBe(422)
    const other = await after(10, await session())
    tokens = await after(0, tokens)
    const { status, body } = await stepUp(tokens, { password })
    expect(status).toBe(200)
    expect(body.confirmedUntil).toBe(new Date(clock.now().getTime() + 10 * MINUTE_MS).toISOString())
    for (const route of withBody) expect([route.name, await isOpen(route)]).toEqual([route.name, true])
    expect(await probe(other)).toBe('step_up_required')
    tokens = await after(9, tokens)
    expect(await probe(tokens)).toBeUndefined()
    expect(await probe(await after(1, tokens))).toBe('step_up_required')
  })

  test('a code of the app opens the calls once, and a wrong one does not', async () => {
    const { secret } = (await call('POST', '/v1/account/totp/start', tokens, { password })).body
    await call('POST', '/v1/account/totp', tokens, { code: totpCode(secret, clock.now()) })
    expect((await stepUp(tokens, { code: totpCode(secret, clock.now()) })).body.code).toBe('otp_invalid')
    expect(await probe(tokens)).toBe('step_up_required')
    tokens = await after(1, tokens)
    const code = totpCode(secret, clock.now())
    expect((await stepUp(tokens, { code, password })).status).toBe(422)
    expect((await stepUp(tokens, {})).status).toBe(422)
    expect((await stepUp(tokens, { code })).status).toBe(200)
    expect(await probe(tokens)).toBeUndefined()
    expect((await stepUp(tokens, { code })).body.code).toBe('otp_invalid')
    expect((await call('POST', '/v1/account/totp/remove', tokens, { password })).status).toBe(204)
  })

  test('a switch of the merchant is no step-up', async () => {
    const { merchantId } = caller
    const switched = (await call('POST', '/v1/account/merchant', tokens, { merchantId })).body
    expect(await probe(switched)).toBe('step_up_required')
  })

  test('the requirement itself is not ended without a step-up', async () => {
    const end = () => call('PATCH', '/v1/team/policy', tokens, { requireSecondFactor: false })
    expect((await end()).body.code).toBe('step_up_required')
    await stepUp(tokens, { password })
    expect((await end()).body).toEqual(nothingRequired)
  })
})

describe('a member without a second factor', () => {
  test('keeps access for seven days after the requirement, and then to what is the own only', async () => {
    const tokens = await memberOf(30)
    await policy(true, new Date(clock.now().getTime() - 7 * DAY_MS + 1000))
    expect((await call('GET', '/v1/team', tokens)).status).toBe(200)
    clock.advance(1000)
    for (const route of ofSession.filter(({ method, spec }) => method === 'GET' && !spec.events))
      expect([route.name, (await codeOf(route, tokens)) === 'second_factor_required']).toEqual([
        route.name,
        route.spec.access !== 'person',
      ])
    const { requiredFrom } = (await call('GET', '/v1/account/factors', tokens)).body
    expect(requiredFrom).toBe(clock.now().toISOString())
    await policy(false)
    expect((await call('GET', '/v1/team', tokens)).status).toBe(200)
  })

  test('has seven days after joining', async () => {
    await policy(true, new Date(clock.now().getTime() - 30 * DAY_MS))
    expect((await call('GET', '/v1/team', await memberOf(6))).status).toBe(200)
    expect((await call('GET', '/v1/team', await memberOf(7))).body.code).toBe('second_factor_required')
  })

  test('has access again with an enabled app, until it is removed', async () => {
    await policy(true, new Date(clock.now().getTime() - 30 * DAY_MS))
    const tokens = await memberOf(8)
    const status = async () => (await call('GET', '/v1/team', tokens)).status
    expect(await status()).toBe(403)
    const { secret } = (await call('POST', '/v1/account/totp/start', tokens, { password })).body
    expect(await status()).toBe(403)
    await call('POST', '/v1/account/totp', tokens, { code: totpCode(secret, clock.now()) })
    expect(await status()).toBe(200)
    await call('POST', '/v1/account/totp/remove', tokens, { password })
    expect(await status()).toBe(403)
  })
})

describe('a required passkey', () => {
  const requirePasskey = (daysAgo: number) =>
    world.ctx.db.pool.query('update merchants set passkey_since = $2 where id = $1', [
      uuidOf(caller.merchantId),
      new Date(clock.now().getTime() - daysAgo * DAY_MS),
    ])
  beforeEach(() => policy(false))
  afterEach(() => world.ctx.db.pool.query('update merchants set passkey_since = null'))

  test('is missed by a member with an authenticator app only, after seven days', async () => {
    const tokens = await memberOf(30)
    const { secret } = (await call('POST', '/v1/account/totp/start', tokens, { password })).body
    await call('POST', '/v1/account/totp', tokens, { code: totpCode(secret, clock.now()) })
    await requirePasskey(6)
    expect((await call('GET', '/v1/team', tokens)).status).toBe(200)
    const { requiredFrom, passkeyRequiredFrom } = (await call('GET', '/v1/account/factors', tokens)).body
    expect([requiredFrom, passkeyRequiredFrom]).toEqual([
      null,
      new Date(clock.now().getTime() + DAY_MS).toISOString(),
    ])
    await requirePasskey(7)
    expect((await call('GET', '/v1/team', tokens)).body).toMatchObject({
      code: 'second_factor_required',
      detail: 'Your team requires a passkey. Please add one to your account',
    })
    expect((await call('GET', '/v1/account/factors', tokens)).status).toBe(200)
  })

  test('is had by the owner with a passkey, who still confirms what moves trust', async () => {
    await makePasskey(world.ctx, caller.merchantId)
    await requirePasskey(30)
    const tokens = await session()
    expect((await call('GET', '/v1/team', tokens)).status).toBe(200)
    expect(await probe(await after(10, await after(9, tokens)))).toBe('step_up_required')
  })
})

describe('the team', () => {
  test('shows the requirement, and who has a second factor', async () => {
    const shop = await makeMerchant(world.ctx)
    const tokens = await makeSession(world.ctx, shop.merchantId)
    const member = await makeMember(world.ctx, shop.merchantId, 'viewer')
    const shown = async () => {
      const { policy, members } = await team(tokens)
      return { policy, has: members.map((each: { secondFactor: boolean }) => each.secondFactor) }
    }
    expect(await shown()).toEqual({ policy: nothingRequired, has: [false, false] })
    await makePasskey(world.ctx, shop.merchantId)
    const set = (requireSecondFactor: boolean, by = tokens) =>
      call('PATCH', '/v1/team/policy', by, { requireSecondFactor })
    expect((await set(true, member.tokens)).body.code).toBe('not_permitted')
    const requiredSince = clock.now().toISOString()
    expect((await set(true)).body).toEqual({ ...nothingRequired, requireSecondFactor: true, requiredSince })
    clock.advance(MINUTE_MS)
    await set(true)
    expect(await shown()).toEqual({
      policy: { ...nothingRequired, requireSecondFactor: true, requiredSince },
      has: [true, false],
    })
    expect((await set(false)).body).toEqual(nothingRequired)
  })

  test('requires a passkey beside a second factor, each with its own grace', async () => {
    const shop = await makeMerchant(world.ctx)
    const tokens = await makeSession(world.ctx, shop.merchantId)
    const change = async (body: object) => (await call('PATCH', '/v1/team/policy', tokens, body)).body
    const requiredSince = clock.now().toISOString()
    await change({ requireSecondFactor: true })
    clock.advance(MINUTE_MS)
    const passkeyRequiredSince = clock.now().toISOString()
    const both = { requireSecondFactor: true, requiredSince, requirePasskey: true, passkeyRequiredSince }
    expect(await change({ requirePasskey: true })).toEqual(both)
    expect(await change({})).toEqual(both)
    expect((await team(tokens)).members).toMatchObject([{ passkey: false }])
    await makePasskey(world.ctx, shop.merchantId)
    expect((await team(tokens)).members).toMatchObject([{ passkey: true, secondFactor: true }])
    expect(await change({ requireSecondFactor: false, requirePasskey: false })).toEqual(nothingRequired)
  })
})

import { createHmac } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { describe, expect } from 'vitest'
import { test as base } from '../../../../test/fixtures.ts'
import { createHttp } from '../../../platform/http/server.ts'
import { makeMerchant, makeSession } from '../factory.ts'
import { sessionAuth } from './session-auth.ts'
import { signingKey, weekOf } from './tokens.ts'

const MINUTE_MS = 60_000

const test = base
  .extend('merchantId', { scope: 'file' }, async ({ ctx }) => (await makeMerchant(ctx)).merchantId)
  .extend('server', { scope: 'file' }, async ({ ctx }, { onCleanup }) => {
    const server = createHttp(ctx.config, ctx.log)
    onCleanup(() => server.close())
    const authenticate = sessionAuth(ctx)
    server.get('/who', (request) => authenticate(request))
    return server
  })
  .extend('tokens', async ({ ctx, merchantId }) => makeSession(ctx, merchantId))
  .extend('who', async ({ server }) => async (authorization: string | undefined) => {
    const headers = authorization === undefined ? {} : { authorization }
    const response = await server.inject({ method: 'GET', url: '/who', headers })
    return { status: response.statusCode, body: response.json() }
  })
  .extend(
    'bearer',
    async ({ who }) =>
      (token: string) =>
        who(`Bearer ${token}`),
  )
  .extend(
    'signOut',
    async ({ identity }) =>
      (token: string) =>
        identity.inject({
          method: 'POST',
          url: '/v1/auth/signout',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        }),
  )
  .extend('lastUsedAt', async ({ ctx }) => async () => {
    const row = await ctx.db.kysely
      .selectFrom('sessions')
      .select('last_used_at')
      .orderBy('id', 'desc')
      .executeTakeFirst()
    return row?.last_used_at
  })

describe('a call with a session', () => {
  test('identifies the merchant, the session and the membership of its person', async ({
    merchantId,
    tokens,
    bearer,
  }) => {
    const { status, body } = await bearer(tokens.authToken)
    expect(status).toBe(200)
    const { sid, exp = 0 } = decodeJwt(tokens.authToken)
    const tokenRefusedAt = new Date((exp + 30) * 1000).toISOString()
    expect(body).toEqual({
      merchantId,
      personId: expect.stringMatching(/^per_/),
      sessionId: sid,
      role: 'owner',
      applications: null,
      secondFactorDueAt: null,
      passkeyDueAt: null,
      tokenRefusedAt,
    })
  })

  test('needs a bearer token', async ({ tokens, who }) => {
    for (const header of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'Basic abc',
      tokens.authToken,
      'Bearer x',
      'Bearer a.b.c',
    ]) {
      expect(await who(header), header).toMatchObject({ status: 401, body: { code: 'session_invalid' } })
    }
  })

  test('refuses a refresh token', async ({ tokens, bearer }) => {
    expect((await bearer(tokens.refreshToken)).status).toBe(401)
  })

  test('refuses a token without a signature or with another one', async ({ tokens, bearer }) => {
    const [, payload = '', signature = ''] = tokens.authToken.split('.')
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const header = decodeProtectedHeader(tokens.authToken)
    const unsigned = `${encode({ ...header, alg: 'none' })}.${payload}`
    const foreign = `${encode(header)}.${payload}`
    const mine = `${encode(header)}.${encode({ ...decodeJwt(tokens.authToken), id: 'mer_00000000000000000000000000' })}`
    const forged = [
      `${unsigned}.`,
      `${unsigned}.${signature}`,
      `${foreign}.${createHmac('sha256', 'guess').update(foreign).digest('base64url')}`,
      `${mine}.${signature}`,
    ]
    for (const token of forged) expect((await bearer(token)).status, token).toBe(401)
  })

  test("refuses a token of this key for another merchant's session", async ({ ctx, tokens, bearer }) => {
    const other = (await makeMerchant(ctx)).merchantId
    const [head = ''] = tokens.authToken.split('.')
    const body = Buffer.from(JSON.stringify({ ...decodeJwt(tokens.authToken), id: other })).toString(
      'base64url',
    )
    const signature = createHmac('sha256', signingKey(ctx, weekOf(ctx.clock.now())))
      .update(`${head}.${body}`)
      .digest('base64url')
    expect((await bearer(`${head}.${body}.${signature}`)).status).toBe(401)
  })

  test('needs a token of at most ten minutes, and clocks may differ by 30 s', async ({
    ctx,
    tokens,
    bearer,
  }) => {
    ctx.clock.advance(10 * MINUTE_MS + 29_000)
    expect((await bearer(tokens.authToken)).status).toBe(200)
    ctx.clock.advance(2000)
    expect((await bearer(tokens.authToken)).status).toBe(401)
  })

  test('ends immediately when the session is signed out', async ({ tokens, bearer, signOut }) => {
    const response = await signOut(tokens.authToken)
    expect([response.statusCode, response.payload]).toEqual([204, ''])
    expect((await bearer(tokens.authToken)).status).toBe(401)
  })

  test('is signed out by two tabs at the same moment without an error', async ({ tokens, signOut }) => {
    const answers = await Promise.all([signOut(tokens.authToken), signOut(tokens.authToken)])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 204])
    expect((await signOut(tokens.authToken)).statusCode).toBe(204)
  })

  test('is ended by an expired token too, and never by a forged one', async ({
    ctx,
    tokens,
    bearer,
    signOut,
  }) => {
    const [head, body] = tokens.authToken.split('.')
    expect((await signOut(`${head}.${body}.${'A'.repeat(43)}`)).statusCode).toBe(401)
    ctx.clock.advance(12 * MINUTE_MS)
    expect((await bearer(tokens.authToken)).status).toBe(401)
    expect((await signOut(tokens.authToken)).statusCode).toBe(204)
    const { rows } = await ctx.db.pool.query('select end_reason from sessions order by id desc limit 1')
    expect(rows).toEqual([{ end_reason: 'signed_out' }])
  })

  test('leaves the other sessions when one is signed out', async ({
    ctx,
    merchantId,
    tokens,
    bearer,
    signOut,
  }) => {
    const other = await makeSession(ctx, merchantId)
    await signOut(tokens.authToken)
    expect((await bearer(other.authToken)).status).toBe(200)
  })

  test('writes the time of use at most once a minute', async ({ ctx, tokens, bearer, lastUsedAt }) => {
    const start = ctx.clock.now()
    ctx.clock.advance(59_999)
    await bearer(tokens.authToken)
    expect(await lastUsedAt()).toEqual(start)
    ctx.clock.advance(1)
    await bearer(tokens.authToken)
    expect(await lastUsedAt()).toEqual(ctx.clock.now())
  })
})

test('GET /v1/config returns the settings for the web app and nothing more', async ({ ctx, identity }) => {
  const response = await identity.inject({ method: 'GET', url: '/v1/config' })
  expect(response.json()).toEqual({
    uploadKey: ctx.keys.uploadKey,
    apiHost: 'http://gateway.test',
    mode: 'test',
  })
})

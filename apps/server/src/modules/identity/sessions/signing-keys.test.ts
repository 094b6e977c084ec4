import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { describe, expect } from 'vitest'
import { test as base } from '../../../../test/fixtures.ts'
import { makeMerchant, makeSession, unrecognisedVisitor } from '../factory.ts'
import { refreshSession } from './actions/refresh-session.ts'
import { sessionAuth } from './session-auth.ts'
import { signingKey, weekOf } from './tokens.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const WEEK_MS = 7 * 24 * HOUR_MS

const refused = { code: 'session_invalid' }
const keyIdOf = (token: string) => decodeProtectedHeader(token).kid

const test = base
  .extend('merchantId', { scope: 'file' }, async ({ ctx }) => (await makeMerchant(ctx)).merchantId)
  /** A session that was opened five minutes before the key changes. */
  .extend('tokens', async ({ ctx, merchantId }) => {
    ctx.clock.advance(WEEK_MS - (ctx.clock.now().getTime() % WEEK_MS) - 5 * MINUTE_MS)
    return makeSession(ctx, merchantId)
  })
  .extend(
    'call',
    async ({ ctx }) =>
      (token: string) =>
        sessionAuth(ctx)({
          headers: { authorization: `Bearer ${token}` },
          routeOptions: { config: {} },
        } as unknown as FastifyRequest),
  )
  .extend(
    'now',
    async ({ ctx }) =>
      () =>
        Math.floor(ctx.clock.now().getTime() / 1000),
  )
  .extend('forge', async ({ ctx }) => (token: string, week: number, claims: object, keyWeek = week) => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const header = encode({ ...decodeProtectedHeader(token), kid: String(week) })
    const text = `${header}.${encode({ ...decodeJwt(token), ...claims })}`
    return `${text}.${createHmac('sha256', signingKey(ctx, keyWeek)).update(text).digest('base64url')}`
  })

describe('the weekly keys', () => {
  test('change without a sign-out', async ({ ctx, merchantId, tokens, call }) => {
    const { authToken, refreshToken } = tokens
    ctx.clock.advance(6 * MINUTE_MS)
    expect((await call(authToken)).merchantId).toBe(merchantId)
    const next = await refreshSession(ctx, refreshToken, unrecognisedVisitor)
    expect(Number(keyIdOf(next.refreshToken))).toBe(Number(keyIdOf(refreshToken)) + 1)
    expect((await call(next.authToken)).merchantId).toBe(merchantId)
    expect((await refreshSession(ctx, next.refreshToken, unrecognisedVisitor)).authToken).toBeTruthy()
  })

  test('give the same successor again across the change', async ({ ctx, tokens }) => {
    ctx.clock.advance(5 * MINUTE_MS - 10_000)
    const first = await refreshSession(ctx, tokens.refreshToken, unrecognisedVisitor)
    ctx.clock.advance(20_000)
    const again = await refreshSession(ctx, tokens.refreshToken, unrecognisedVisitor)
    expect(again.refreshToken).toBe(first.refreshToken)
    expect(keyIdOf(again.authToken)).not.toBe(keyIdOf(first.authToken))
  })

  test('are accepted from a process whose clock is 30 s ahead, and no further', async ({
    ctx,
    merchantId,
    tokens,
    call,
    now,
    forge,
  }) => {
    const week = weekOf(ctx.clock.now())
    ctx.clock.advance(5 * MINUTE_MS - 29_000)
    const early = forge(tokens.authToken, week + 1, { iat: now() + 29, exp: now() + 600 })
    expect((await call(early)).merchantId).toBe(merchantId)
    ctx.clock.advance(-2000)
    await expect(call(early)).rejects.toMatchObject(refused)
  })

  test('differ from week to week, and none is accepted for another', async ({ ctx, tokens, call, forge }) => {
    const week = weekOf(ctx.clock.now())
    const keys = Array.from({ length: 100 }, (_, n) => signingKey(ctx, week + n).toString('hex'))
    expect(new Set(keys).size).toBe(100)
    await expect(call(forge(tokens.authToken, week, {}, week - 1))).rejects.toMatchObject(refused)
    await expect(call(forge(tokens.authToken, week - 1, {}, week))).rejects.toMatchObject(refused)
  })

  test('sign no accepted token after their week', async ({ ctx, merchantId, tokens, call, now, forge }) => {
    const week = weekOf(ctx.clock.now())
    const stolen = tokens
    ctx.clock.advance(6 * MINUTE_MS)
    const fresh = await makeSession(ctx, merchantId)
    const { sid } = decodeJwt(fresh.authToken)
    const attempts = [
      { sid, iat: now(), exp: now() + 600 },
      { sid, iat: now() - 7 * 60, exp: now() + 4 * 60 },
      { sid, iat: now() - 7 * 60, exp: now() + 30 * 24 * 3600 },
    ]
    for (const claims of attempts)
      await expect(call(forge(stolen.authToken, week, claims))).rejects.toMatchObject(refused)
    ctx.clock.advance(WEEK_MS)
    await expect(call(forge(stolen.authToken, week, { iat: now(), exp: now() + 600 }))).rejects.toMatchObject(
      refused,
    )
  })

  test('sign no token beyond the lifetime of its type', async ({ ctx, tokens, call, now, forge }) => {
    const week = weekOf(ctx.clock.now())
    const long = { iat: now(), exp: now() + 601 }
    await expect(call(forge(tokens.authToken, week, long))).rejects.toMatchObject(refused)
    const longer = { iat: now(), exp: now() + 12 * 3600 + 1 }
    await expect(
      refreshSession(ctx, forge(tokens.refreshToken, week, longer), unrecognisedVisitor),
    ).rejects.toMatchObject({
      code: 'refresh_invalid',
    })
  })

  test('sign no token of a later time', async ({ ctx, merchantId, tokens, call, now, forge }) => {
    const week = weekOf(ctx.clock.now())
    const of = (seconds: number) =>
      forge(tokens.authToken, week, { iat: now() + seconds, exp: now() + seconds + 600 })
    expect((await call(of(30))).merchantId).toBe(merchantId)
    await expect(call(of(31))).rejects.toMatchObject(refused)
    await expect(call(of(4 * 60))).rejects.toMatchObject(refused)
  })

  test.for(['', '-1', '1e3', '../1', ' 2960', '02960', '99999999'])(
    'have no id like %j',
    async (kid, { ctx, tokens, call }) => {
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const text = `${encode({ ...decodeProtectedHeader(tokens.authToken), kid })}.${tokens.authToken.split('.')[1]}`
      const key = signingKey(ctx, Number(kid))
      const token = `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
      await expect(call(token)).rejects.toMatchObject(refused)
    },
  )
})

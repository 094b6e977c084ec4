import { createHmac } from 'node:crypto'
import type { Tokens } from '@muripo/contract/auth'
import type { SessionId } from '@muripo/contract/ids'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { byMerchant } from '../../../../../test/audit-entries.ts'
import { test as base } from '../../../../../test/fixtures.ts'
import { uuidOf } from '../../../../platform/ids.ts'
import { makeMerchant, makeSession, unrecognisedVisitor } from '../../factory.ts'
import { signingKey, weekOf } from '../tokens.ts'
import { signOut } from './end-sessions.ts'
import { refreshSession } from './refresh-session.ts'

const MINUTE_MS = 60_000

const refused = { code: 'refresh_invalid', status: 401 }

const test = base
  .extend('merchantId', { scope: 'file' }, async ({ ctx }) => (await makeMerchant(ctx)).merchantId)
  .extend('first', async ({ ctx, merchantId }) => makeSession(ctx, merchantId))
  .extend(
    'refresh',
    async ({ ctx }) =>
      (token: string) =>
        refreshSession(ctx, token, unrecognisedVisitor),
  )
  .extend('endOf', async ({ ctx }) => async (tokens: Tokens) => {
    const sid = decodeJwt(tokens.refreshToken).sid as SessionId
    const query = ctx.db.kysely.selectFrom('sessions').where('id', '=', uuidOf(sid)).select('end_reason')
    return (await query.executeTakeFirst())?.end_reason
  })

describe('refreshing a session', () => {
  test('exchanges a token for new ones of the same session', async ({ ctx, merchantId, first, refresh }) => {
    ctx.clock.advance(MINUTE_MS)
    const second = await refresh(first.refreshToken)
    expect(second.refreshToken).not.toBe(first.refreshToken)
    expect(second.authToken).not.toBe(first.authToken)
    expect(decodeJwt(second.refreshToken)).toMatchObject({
      id: merchantId,
      sid: decodeJwt(first.refreshToken).sid,
      exp: decodeJwt(first.refreshToken).exp,
    })
  })

  test('gives the same successor again within 30 s while it is unused', async ({ ctx, first, refresh }) => {
    const second = await refresh(first.refreshToken)
    ctx.clock.advance(30_000)
    expect((await refresh(first.refreshToken)).refreshToken).toBe(second.refreshToken)
    expect((await refresh(second.refreshToken)).refreshToken).toBeTruthy()
  })

  test('ends the session when an exchanged token is used again after 30 s', async ({
    ctx,
    first,
    refresh,
    endOf,
  }) => {
    const second = await refresh(first.refreshToken)
    ctx.clock.advance(30_001)
    await expect(refresh(first.refreshToken)).rejects.toMatchObject(refused)
    await expect(refresh(second.refreshToken)).rejects.toMatchObject(refused)
    expect(await endOf(first)).toBe('refresh_reused')
  })

  test('ends the session when an exchanged token is used again after its successor', async ({
    first,
    refresh,
  }) => {
    const second = await refresh(first.refreshToken)
    const third = await refresh(second.refreshToken)
    await expect(refresh(first.refreshToken)).rejects.toMatchObject(refused)
    await expect(refresh(third.refreshToken)).rejects.toMatchObject(refused)
  })

  test('does not touch another session of the same merchant', async ({ ctx, merchantId, first, refresh }) => {
    const other = await makeSession(ctx, merchantId)
    await refresh(first.refreshToken)
    ctx.clock.advance(31_000)
    await expect(refresh(first.refreshToken)).rejects.toMatchObject(refused)
    expect((await refresh(other.refreshToken)).authToken).toBeTruthy()
  })

  test('returns the same successor to 64 concurrent callers', async ({ ctx, first, refresh }) => {
    // While connections are still being opened, the calls would run one after the other.
    const openAll = Array.from({ length: 20 }, () => sql`select pg_sleep(0.1)`.execute(ctx.db.kysely))
    await Promise.all(openAll)
    const answers = await Promise.all(Array.from({ length: 64 }, () => refresh(first.refreshToken)))
    expect(new Set(answers.map((answer) => answer.refreshToken)).size).toBe(1)
    const unused = await ctx.db.kysely
      .selectFrom('refresh_tokens')
      .where('session_id', '=', uuidOf(decodeJwt(first.refreshToken).sid as SessionId))
      .where('used_at', 'is', null)
      .select('id')
      .execute()
    expect(unused).toEqual([{ id: decodeJwt(answers[0]?.refreshToken ?? '').jti }])
  })

  test('refuses a session that was idle for 15 minutes', async ({ ctx, first, refresh }) => {
    ctx.clock.advance(15 * MINUTE_MS)
    await expect(refresh(first.refreshToken)).rejects.toMatchObject(refused)
  })

  test('lets a used session live for 12 hours and no longer', async ({ ctx, first, refresh }) => {
    let tokens = first
    for (let minutes = 14; minutes < 12 * 60; minutes += 14) {
      ctx.clock.advance(14 * MINUTE_MS)
      tokens = await refresh(tokens.refreshToken)
    }
    ctx.clock.advance(6 * MINUTE_MS)
    await expect(refresh(tokens.refreshToken)).rejects.toMatchObject(refused)
    const { exp = 0 } = decodeJwt(tokens.authToken)
    expect(exp).toBe(decodeJwt(first.refreshToken).exp)
  })

  test('refuses the tokens of a session that was signed out', async ({
    ctx,
    merchantId,
    first,
    refresh,
    endOf,
  }) => {
    const { id, sid } = decodeJwt(first.refreshToken)
    const subject = { merchantId: id, sessionId: sid } as Parameters<typeof signOut>[2]
    await signOut(ctx, byMerchant(merchantId), subject)
    await expect(refresh(first.refreshToken)).rejects.toMatchObject(refused)
    expect(await endOf(first)).toBe('signed_out')
  })

  test('refuses an access token', async ({ first, refresh }) => {
    await expect(refresh(first.authToken)).rejects.toMatchObject(refused)
  })

  test('refuses a token that it did not sign', async ({ ctx, first, refresh }) => {
    const [, payload = ''] = first.refreshToken.split('.')
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const signed = (header: object, key: string | Buffer, body = payload) => {
      const text = `${encode(header)}.${body}`
      return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
    }
    const header = decodeProtectedHeader(first.refreshToken)
    const key = signingKey(ctx, weekOf(ctx.clock.now()))
    const later = encode({ ...decodeJwt(first.refreshToken), aud: 'somebody else' })
    const forged = [
      '',
      'x',
      'a.b.c',
      `${encode({ ...header, alg: 'none' })}.${payload}.`,
      `${encode({ alg: 'none' })}.${payload}.`,
      signed(header, 'another key'),
      signed({ ...header, typ: 'at+jwt' }, key),
      signed({ ...header, typ: undefined }, key),
      signed({ ...header, kid: 'other' }, key),
      signed(header, ctx.keys.sessionSigning),
      signed({ ...header, kid: undefined }, key),
      signed({ ...header, alg: 'HS512' }, key),
      signed({ ...header, crit: ['b64'], b64: false }, key),
      signed(header, key, later),
      first.refreshToken.slice(0, -2),
    ]
    for (const token of forged) await expect(refresh(token), token).rejects.toMatchObject(refused)
    expect((await refresh(first.refreshToken)).authToken).toBeTruthy()
  })

  test('refuses a token of its own key whose record does not exist', async ({ ctx, first, refresh }) => {
    const [head = '', payload = ''] = first.refreshToken.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const body = Buffer.from(
      JSON.stringify({ ...claims, jti: '00000000-0000-7000-8000-000000000000' }),
    ).toString('base64url')
    const signature = createHmac('sha256', signingKey(ctx, weekOf(ctx.clock.now())))
      .update(`${head}.${body}`)
      .digest('base64url')
    await expect(refresh(`${head}.${body}.${signature}`)).rejects.toMatchObject(refused)
  })
})

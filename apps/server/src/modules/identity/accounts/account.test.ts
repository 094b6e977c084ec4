import { getAccount } from '@muripo/contract/account'
import { permissions } from '@muripo/contract/permissions'
import { beforeEach, describe, expect, test } from 'vitest'
import { auditEntriesOn } from '../../../../test/audit-entries.ts'
import { identityServer } from '../../../../test/identity-server.ts'
import { codeIn } from '../../../../test/mailed-code.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { type MadeMerchant, makeMerchant, openedSession } from '../factory.ts'
import { signIn } from '../sign-in/actions/sign-in.ts'

const MINUTE_MS = 60_000
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const atHome = { userAgent: chrome, address: '203.0.113.77' }
const onTheRoad = {
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  address: '2001:db8:85a3:12::7',
}

type Opened = Awaited<ReturnType<typeof openedSession>>

const { ctx, app } = await identityServer()

describe('the own account', () => {
  let merchant: MadeMerchant
  let mine: Opened

  beforeEach(async () => {
    merchant = await makeMerchant(ctx)
    mine = await openedSession(ctx, merchant.merchantId, atHome)
  })

  async function call(method: 'GET' | 'PATCH' | 'DELETE', path: string, payload?: object, by: Opened = mine) {
    const response = await app.inject({
      method,
      url: `/v1/account${path}`,
      remoteAddress: '203.0.113.7',
      headers: { 'x-request-id': 'request-1', authorization: `Bearer ${by.tokens.authToken}` },
      ...(payload && { payload }),
    })
    return { status: response.statusCode, body: response.payload ? response.json() : null }
  }
  async function inject(path: string, headers: Record<string, string>, payload: object) {
    const url = `/v1/auth${path}`
    const response = await app.inject({ method: 'POST', url, remoteAddress: '203.0.113.7', headers, payload })
    return { status: response.statusCode, body: response.json() }
  }
  const end = (sessionId: string, by?: Opened) => call('DELETE', `/sessions/${sessionId}`, undefined, by)
  const listed = async (by?: Opened) => (await call('GET', '/sessions', undefined, by)).body.sessions
  const isIn = async (opened: Opened) => (await call('GET', '', undefined, opened)).status === 200
  const canRefresh = async ({ tokens: { refreshToken } }: Opened) => {
    return (await inject('/refresh-token', {}, { refreshToken })).status === 200
  }

  test('is reported as it was opened, without further fields', async () => {
    const { status, body } = await call('GET', '')
    expect(status).toBe(200)
    expect(body).toEqual({
      fullname: 'Tendai Moyo',
      email: merchant.email,
      phone: '+263771234567',
      accountType: 'business',
      timeZone: 'Africa/Harare',
      locale: null,
      createdAt: '2026-11-20T09:30:00.000Z',
      status: 'new',
      statusReason: null,
      gatewayMode: 'test',
      merchant: { id: merchant.merchantId, name: 'Tendai Moyo' },
      merchantCount: 1,
      role: 'owner',
      permissions: [...permissions],
      applications: null,
    })
    expect(Object.keys(body).sort()).toEqual(Object.keys(getAccount.reply[200].shape).sort())
  })

  describe('its language', () => {
    const choose = (locale: unknown) => call('PATCH', '', { locale })

    test('is set, stored and audited, and goes back to that of the browser', async () => {
      for (const locale of ['nd', 'nd', null]) {
        expect(await choose(locale)).toMatchObject({ status: 200, body: { locale } })
        expect((await call('GET', '')).body).toMatchObject({ locale, timeZone: 'Africa/Harare' })
      }
      expect(await auditEntriesOn(ctx, merchant.merchantId)).toMatchObject([
        { action: 'account.locale_changed', details: { from: null, to: 'nd' } },
        { action: 'account.locale_changed', details: { from: 'nd', to: null } },
      ])
    })

    test.each(['fr', '', 7, 'sn-ZW'])('may not be %j', async (locale) => {
      const { status, body } = await choose(locale)
      expect(status).toBe(422)
      const message = locale === 7 ? 'Must be text' : 'Please select a language from the list'
      expect(body.errors).toEqual([{ field: 'locale', message }])
    })

    test('is the language of emails with a code, whatever the browser prefers', async () => {
      await choose('sn')
      ctx.mails.length = 0
      const { email, password } = merchant
      await inject('/signin', { 'accept-language': 'nd' }, { email, password })
      expect(ctx.mails[0]?.html).toContain('lang="sn"')
    })
  })

  describe('its time zone', () => {
    const choose = (timeZone: unknown) => call('PATCH', '', { timeZone })

    test('is set, stored and audited, once', async () => {
      expect(await choose('Europe/Paris')).toMatchObject({ status: 200, body: { timeZone: 'Europe/Paris' } })
      expect((await choose('Europe/Paris')).status).toBe(200)
      expect((await call('GET', '')).body.timeZone).toBe('Europe/Paris')
      expect(await auditEntriesOn(ctx, merchant.merchantId)).toMatchObject([
        {
          action: 'account.time_zone_changed',
          actor: merchant.merchantId,
          address: '203.0.113.7',
          details: { from: 'Africa/Harare', to: 'Europe/Paris' },
        },
      ])
    })

    test.each([
      'Asia/Kolkata',
      'Asia/Calcutta',
      'Europe/Kyiv',
      'UTC',
      'America/Argentina/Buenos_Aires',
      'America/Port-au-Prince',
    ])('may be %s', async (zone) => expect((await choose(zone)).status).toBe(200))

    test.each([
      undefined,
      null,
      7,
      '',
      'Harare',
      'Africa/Nowhere',
      '+02:00',
      '-08',
      "Africa/Harare'; drop table merchants; --",
      'Africa/Harare\0',
      'A'.repeat(65),
    ])('may not be %j', async (zone) => {
      const { status, body } = await choose(zone)
      expect(status).toBe(422)
      const message = zone === 7 ? 'Must be text' : 'Please select a time zone from the list'
      expect(body.errors).toEqual([{ field: 'timeZone', message }])
      expect((await call('GET', '')).body.timeZone).toBe('Africa/Harare')
    })

    test('is the only field that may be changed', async () => {
      const { status, body } = await call('PATCH', '', { timeZone: 'UTC', email: 'thief@example.com' })
      expect([status, body.errors]).toEqual([422, [{ field: 'email', message: 'Unknown field "email"' }]])
    })

    test('is changed sixty times an hour for one account, and no more often', async () => {
      const zones = Array.from({ length: 61 }, (_, n) => (n % 2 ? 'UTC' : 'Europe/Paris'))
      const answers = await Promise.all(zones.map(choose))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(60)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
    })
  })

  describe('its sessions', () => {
    test('are listed with browser, approximate address, sign-in and last use, the caller’s own first', async () => {
      ctx.clock.advance(5 * MINUTE_MS)
      const signedInAt = ctx.clock.now().toISOString()
      const phone = await openedSession(ctx, merchant.merchantId, onTheRoad)
      ctx.clock.advance(2 * MINUTE_MS)
      expect(await listed()).toEqual([
        {
          _id: mine.sessionId,
          browser: 'Chrome on Windows',
          network: '203.0.113.x',
          signedInAt: expect.any(String),
          lastUsedAt: ctx.clock.now().toISOString(),
          current: true,
        },
        {
          _id: phone.sessionId,
          browser: 'Safari on iOS',
          network: '2001:db8:85a3::',
          signedInAt,
          lastUsedAt: signedInAt,
          current: false,
        },
      ])
      expect((await listed(phone)).map(({ current }: { current: boolean }) => current)).toEqual([true, false])
    })

    test('are named after the browser that signed in, whatever name it sends', async () => {
      const headers = { 'user-agent': 'Call +263771234567, https://evil.example' }
      const { body } = await inject('/signin', headers, {
        email: merchant.email,
        password: merchant.password,
      })
      const otp = codeIn(ctx.mails.at(-1)?.text)
      await inject(`/verify-otp/${body.otpId}`, headers, { purpose: 'signin', otp })
      expect(await listed()).toMatchObject([
        { current: true },
        { browser: 'an unknown browser', network: '203.0.113.x', current: false },
      ])
    })

    test('are not listed once they have ended, were idle for too long or have expired', async () => {
      const ended = await openedSession(ctx, merchant.merchantId)
      await end(ended.sessionId)
      const old = await openedSession(ctx, merchant.merchantId)
      ctx.clock.advance(8 * MINUTE_MS)
      const fresh = await openedSession(ctx, merchant.merchantId)
      await ctx.db.kysely
        .updateTable('sessions')
        .set({ expires_at: ctx.clock.now(), last_used_at: ctx.clock.now() })
        .where('id', '=', uuidOf(old.sessionId))
        .execute()
      ctx.clock.advance(7 * MINUTE_MS - 1)
      const ids = async () => (await listed(fresh)).map(({ _id }: { _id: string }) => _id)
      expect(await ids()).toEqual([fresh.sessionId, mine.sessionId])
      ctx.clock.advance(1)
      expect(await ids()).toEqual([fresh.sessionId])
    })

    test('include a session of an earlier version, without a recorded browser', async () => {
      await ctx.db.pool.query('update sessions set browser = null, network = null')
      expect(await listed()).toMatchObject([{ browser: null, network: null }])
    })

    test('are ended one by one, immediately and permanently, with an audit entry', async () => {
      const phone = await openedSession(ctx, merchant.merchantId, onTheRoad)
      expect((await end(phone.sessionId)).status).toBe(204)
      expect([await isIn(phone), await canRefresh(phone)]).toEqual([false, false])
      expect(await isIn(mine)).toBe(true)
      expect((await end(phone.sessionId)).status).toBe(404)
      expect(await auditEntriesOn(ctx, phone.sessionId)).toMatchObject([
        { action: 'session.ended_by_owner', actor: merchant.merchantId, address: '203.0.113.7' },
      ])
    })

    test('of another merchant stay open, and the response is that for an unknown session', async () => {
      const other = await openedSession(ctx, (await makeMerchant(ctx)).merchantId)
      const theirs = await end(other.sessionId)
      expect(theirs.status).toBe(404)
      for (const id of ['ses_00000000000000000000000000', 'ses_x', merchant.merchantId, "x'%20or%201=1"])
        expect(await end(id)).toEqual(theirs)
      expect([await isIn(other), await canRefresh(other)]).toEqual([true, true])
      expect(await auditEntriesOn(ctx, other.sessionId)).toEqual([])
    })

    test('are all ended by one call, with pending codes, and no other merchant’s are', async () => {
      const phone = await openedSession(ctx, merchant.merchantId, onTheRoad)
      const other = await openedSession(ctx, (await makeMerchant(ctx)).merchantId)
      const visitor = { ...onTheRoad, requestId: 'request-1', device: null, locale: 'en' as const }
      const { otpId } = await signIn(ctx, merchant, visitor)
      const otp = codeIn(ctx.mails.at(-1)?.text)
      expect((await call('DELETE', '/sessions')).status).toBe(204)
      for (const each of [mine, phone])
        expect([await isIn(each), await canRefresh(each)]).toEqual([false, false])
      expect([await isIn(other), await canRefresh(other)]).toEqual([true, true])
      expect((await inject(`/verify-otp/${otpId}`, {}, { purpose: 'signin', otp })).status).toBe(410)
      expect((await auditEntriesOn(ctx, merchant.merchantId)).at(-1)).toMatchObject({
        action: 'session.signed_out_everywhere',
        details: { sessions: 2 },
      })
    })

    test('end also when they are refreshed at the same moment', async () => {
      for (let round = 0; round < 5; round += 1) {
        const [there, here] = [
          await openedSession(ctx, merchant.merchantId),
          await openedSession(ctx, merchant.merchantId),
        ]
        const { refreshToken } = there.tokens
        const [refreshed, ended] = await Promise.all([
          app.inject({ method: 'POST', url: '/v1/auth/refresh-token', payload: { refreshToken } }),
          call('DELETE', '/sessions', undefined, here),
        ])
        expect(ended.status).toBe(204)
        const latest = { ...there, tokens: refreshed.statusCode === 200 ? refreshed.json() : there.tokens }
        expect([await isIn(latest), await canRefresh(latest)]).toEqual([false, false])
      }
    })
  })
})

import { beforeEach, describe, expect, test } from 'vitest'
import { identityServer } from '../../../../../test/identity-server.ts'
import { codeIn, wrongCode } from '../../../../../test/mailed-code.ts'
import { type MadeMerchant, makeMerchant, makeSession, runIdentityJobs } from '../../factory.ts'
import { HOUR_MS } from '../../throttles.ts'

const { ctx, app } = await identityServer()

const MINUTE_MS = 60_000
const newPassword = 'a new long sentence'

describe('the link of a reset', () => {
  let merchant: MadeMerchant
  beforeEach(async () => {
    merchant = await makeMerchant(ctx)
    ctx.mails.length = 0
  })

  const post = async (path: string, payload: object, cookie = '', remoteAddress = '203.0.113.7') => {
    const response = await app.inject({
      method: 'POST',
      url: `/v1/auth${path}`,
      remoteAddress,
      headers: { cookie },
      payload,
    })
    return {
      status: response.statusCode,
      body: response.json(),
      cookie: String(response.headers['set-cookie']),
    }
  }
  const linkIn = (text = '') =>
    /\/auth\/password\/reset#([\w-]{43})$/m.exec(text.replaceAll(']', ''))?.[1] ?? ''
  const mailedLink = () => linkIn(ctx.mails.findLast(({ text }) => linkIn(text) !== '')?.text)
  async function request() {
    const { body } = await post('/password/forgot', { email: merchant.email })
    await runIdentityJobs(ctx)
    return { otpId: body.otpId as string, code: codeIn(ctx.mails.at(-1)?.text), token: mailedLink() }
  }
  const reset = (token: string, password = newPassword) =>
    post('/password/reset', { token, newPassword: password })
  const signIn = (password: string, cookie?: string) =>
    post('/signin', { email: merchant.email, password }, cookie)
  const over = {
    status: 410,
    body: {
      code: 'reset_link_expired',
      message: 'This link has expired or was used. Please ask for a new one',
    },
  }

  test('sets the password once, ends every session, and ends the code of the same mail', async () => {
    const { authToken } = await makeSession(ctx, merchant.merchantId)
    const { otpId, code, token } = await request()
    expect(await reset(token)).toMatchObject({
      status: 200,
      body: { message: 'Password updated. Please sign in.' },
    })
    expect(await reset(token)).toMatchObject(over)
    expect(await post(`/password/setnew/${otpId}`, { otp: code, newPassword })).toMatchObject({ status: 410 })
    expect((await signIn(merchant.password)).status).toBe(401)
    expect((await signIn(newPassword)).status).toBe(200)
    const account = await app.inject({
      url: '/v1/account',
      headers: { authorization: `Bearer ${authToken}` },
    })
    expect(account.statusCode).toBe(401)
    expect(ctx.mails.some(({ subject }) => subject === 'Your Muripo password was changed')).toBe(true)
  })

  test('expires once the code of any email was used', async () => {
    const earlier = await request()
    const { otpId, code, token } = await request()
    expect((await post(`/password/setnew/${otpId}`, { otp: code, newPassword })).status).toBe(200)
    expect(await reset(token)).toMatchObject(over)
    expect(await reset(earlier.token)).toMatchObject(over)
  })

  test('sets one password for 32 concurrent uses beside its code', async () => {
    const { otpId, code, token } = await request()
    const answers = await Promise.all([
      ...Array.from({ length: 32 }, (_, n) => reset(token, `the long sentence ${n}`)),
      post(`/password/setnew/${otpId}`, { otp: code, newPassword }),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => [200, 410, 503].includes(status))).toBe(true)
  })

  test('lives an hour, although the code expires after ten minutes', async () => {
    const { otpId, code, token } = await request()
    ctx.clock.advance(10 * MINUTE_MS)
    expect((await post(`/password/setnew/${otpId}`, { otp: code, newPassword })).status).toBe(410)
    ctx.clock.advance(50 * MINUTE_MS - 1)
    const second = await request()
    expect((await reset(token, 'short')).status).toBe(422)
    expect((await reset(token, merchant.email)).status).toBe(422)
    expect((await reset(token)).status).toBe(200)
    expect(await reset(second.token)).toMatchObject(over)
    const third = await request()
    ctx.clock.advance(HOUR_MS)
    expect(await reset(third.token)).toMatchObject(over)
  })

  test.each(['', 'x', 'A'.repeat(43), 'A'.repeat(100)])('is not %j', async (token) => {
    await request()
    expect([410, 422]).toContain((await reset(token)).status)
  })

  test('is not stored in the database', async () => {
    const { token } = await request()
    const rows = await ctx.db.kysely.selectFrom('one_time_codes').selectAll().execute()
    const hashes = rows.flatMap(({ link_hash }) => (link_hash ? [link_hash] : []))
    expect(hashes.length).toBeGreaterThan(0)
    for (const hash of hashes) expect(hash.equals(Buffer.from(token, 'base64url'))).toBe(false)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('works for the owner after unrecognised devices used up all attempts at the password and the codes', async () => {
    for (let n = 0; n < 12; n += 1)
      await post('/signin', { email: merchant.email, password: `wrong ${n}` }, '', '198.51.100.9')
    const { token } = await request()
    for (let mail = 0; mail < 4; mail += 1) {
      const { otpId, code } = await request()
      const wrong = wrongCode(code)
      for (let n = 0; n < 3; n += 1) await post(`/password/setnew/${otpId}`, { otp: wrong, newPassword })
    }
    // Unrecognised devices can use neither a code nor the correct password for the rest of the day.
    expect((await signIn(merchant.password)).status).toBe(429)
    const { status, cookie } = await reset(token)
    expect(status).toBe(200)
    expect((await signIn(newPassword, cookie.split(';')[0])).status).toBe(200)
  })

  test('arrives for each request of the owner, however many unrecognised devices request, and those are few', async () => {
    let sentAt = ctx.clock.now().getTime()
    for (let minutes = 0; minutes < 26 * 60; minutes += 30) {
      const before = ctx.mails.length
      await request()
      if (ctx.mails.length > before) sentAt = ctx.clock.now().getTime()
      expect(ctx.clock.now().getTime() - sentAt).toBeLessThan(HOUR_MS)
      ctx.clock.advance(30 * MINUTE_MS)
    }
    expect(ctx.mails.length).toBeLessThanOrEqual(10 + 26)
  })
})

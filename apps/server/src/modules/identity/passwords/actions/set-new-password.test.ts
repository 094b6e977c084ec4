import type { FastifyRequest } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import { identityServer } from '../../../../../test/identity-server.ts'
import { codeIn, wrongCode } from '../../../../../test/mailed-code.ts'
import {
  type MadeMerchant,
  makeMerchant,
  makeSession,
  runIdentityJobs,
  unrecognisedVisitor,
} from '../../factory.ts'
import { sessionAuth } from '../../sessions/session-auth.ts'
import { signIn } from '../../sign-in/actions/sign-in.ts'
import { setNewPassword } from './set-new-password.ts'

const MINUTE_MS = 60_000
const NEW_PASSWORD = 'a password nobody guesses'

const { ctx, app } = await identityServer()

describe('POST /v1/auth/password/setnew/:otpId', () => {
  let merchant: MadeMerchant
  let otpId: string
  let code: string
  let wrong: string

  beforeEach(async () => {
    merchant = await makeMerchant(ctx)
    const issued = await requestCode()
    otpId = issued.otpId
    code = issued.code
    wrong = wrongCode(code)
  })

  const call = async (path: string, payload: object) => {
    const response = await app.inject({ method: 'POST', url: `/v1/auth${path}`, payload })
    return { status: response.statusCode, body: response.payload ? response.json() : null }
  }
  async function requestCode() {
    const { body } = await call('/password/forgot', { email: merchant.email })
    await runIdentityJobs(ctx)
    return { otpId: body.otpId as string, code: lastCode() }
  }
  const lastCode = () => {
    const mail = ctx.mails.findLast(({ text }) => codeIn(text) !== '')
    return codeIn(mail?.text)
  }
  const setNew = (otp: string, newPassword = NEW_PASSWORD, id = otpId) =>
    call(`/password/setnew/${encodeURIComponent(id)}`, { otp, newPassword })
  const signInStatus = async (password: string) =>
    (await call('/signin', { email: merchant.email, password })).status

  test('[CALLS-23] sets the password and opens no session', async () => {
    const { status, body } = await setNew(code)
    expect(status).toBe(200)
    expect(body).toEqual({ message: 'Password updated. Please sign in.' })
    expect(await signInStatus(NEW_PASSWORD)).toBe(200)
    expect(await signInStatus(merchant.password)).toBe(401)
  })

  test('ends every session of the merchant, and no other merchant’s', async () => {
    const other = await makeMerchant(ctx)
    const mine = [await makeSession(ctx, merchant.merchantId), await makeSession(ctx, merchant.merchantId)]
    const others = await makeSession(ctx, other.merchantId)
    await setNew(code)
    for (const tokens of mine) {
      expect((await call('/refresh-token', { refreshToken: tokens.refreshToken })).status).toBe(401)
      const request = { headers: { authorization: `Bearer ${tokens.authToken}` } } as FastifyRequest
      await expect(sessionAuth(ctx)(request)).rejects.toMatchObject({ code: 'session_invalid' })
    }
    expect((await call('/refresh-token', { refreshToken: others.refreshToken })).status).toBe(200)
    const ended = await ctx.db.kysely
      .selectFrom('sessions')
      .where('end_reason', '=', 'password_reset')
      .select('id')
      .execute()
    expect(ended).toHaveLength(2)
  })

  test('ends the sign-in codes that the old password requested', async () => {
    const pending = await signIn(ctx, merchant, unrecognisedVisitor)
    const pendingCode = lastCode()
    await setNew(code)
    expect((await call(`/verify-otp/${pending.otpId}`, { purpose: 'signin', otp: pendingCode })).status).toBe(
      410,
    )
    ctx.clock.advance(MINUTE_MS)
    expect((await call(`/resend-otp/${pending.otpId}`, { purpose: 'signin' })).status).toBe(410)
  })

  test('is valid once, and ends the other reset codes', async () => {
    const other = await requestCode()
    expect((await setNew(code)).status).toBe(200)
    expect(await setNew(code, 'yet another password')).toMatchObject({
      status: 410,
      body: { code: 'otp_expired', message: 'The code has expired. Please ask for a new one' },
    })
    expect((await setNew(other.code, 'yet another password', other.otpId)).status).toBe(410)
    expect(await signInStatus(NEW_PASSWORD)).toBe(200)
  })

  test('is reported to the merchant by email, in the time of the merchant, without the code', async () => {
    await setNew(code)
    expect(ctx.mails.at(-1)).toMatchObject({
      to: merchant.email,
      subject: 'Your Muripo password was changed',
      text: expect.stringMatching(/20 November 2026 at \d\d:\d\d \(Africa\/Harare\)/),
    })
    expect(JSON.stringify(ctx.mails.at(-1))).not.toContain(code)
    expect(JSON.stringify(ctx.mails.at(-1))).not.toContain(NEW_PASSWORD)
  })

  test('answers a wrong code with 400 three times, and then each code with 410', async () => {
    for (let n = 0; n < 3; n += 1) {
      expect(await setNew(wrong)).toMatchObject({ status: 400, body: { code: 'otp_invalid' } })
    }
    expect((await setNew(code)).status).toBe(410)
    expect(await signInStatus(merchant.password)).toBe(200)
  })

  test('accepts the correct code after two wrong ones', async () => {
    await setNew(wrong)
    await setNew(wrong)
    expect((await setNew(code)).status).toBe(200)
  })

  test('lives ten minutes', async () => {
    ctx.clock.advance(10 * MINUTE_MS - 1)
    expect((await setNew(wrong)).status).toBe(400)
    ctx.clock.advance(1)
    expect((await setNew(code)).status).toBe(410)
  })

  test('accepts no sign-in code, and a reset code opens no session', async () => {
    const pending = await signIn(ctx, merchant, unrecognisedVisitor)
    expect((await setNew(lastCode(), NEW_PASSWORD, pending.otpId)).status).toBe(410)
    expect((await call(`/verify-otp/${otpId}`, { purpose: 'signin', otp: code })).status).toBe(410)
  })

  test.each(['otp_00000000000000000000000000', 'otp_x', 'mer_00000000000000000000000000', "x' or 1=1"])(
    'answers an unknown otpId like an expired one: %j',
    async (id) => {
      expect((await setNew(code, NEW_PASSWORD, id)).status).toBe(410)
    },
  )

  test.each([
    ['[SETPW-04] an empty password', { newPassword: '' }, 'newPassword', 'New password is required', {}],
    ['[SETPW-04] no password', { newPassword: undefined }, 'newPassword', 'New password is required', {}],
    [
      '[SETPW-05] seven characters',
      { newPassword: '1234567' },
      'newPassword',
      'Password must be at least 8 characters',
      { reason: { code: 'passwordTooShort', values: { min: 8 } } },
    ],
    [
      '[SETPW-03] five digits',
      { otp: '12345' },
      'otp',
      'OTP must be 6 digits',
      { reason: { code: 'otpLength', values: { length: 6 } } },
    ],
    ['an email beside them', { email: 'a@b.co' }, 'email', 'Unknown field "email"', {}],
  ])('%s is refused without using an attempt', async (_what, change, field, message, reason) => {
    const payload = { otp: code, newPassword: NEW_PASSWORD, ...change }
    for (let n = 0; n < 4; n += 1) {
      const { status, body } = await call(`/password/setnew/${otpId}`, payload)
      expect(status).toBe(422)
      expect(body.errors[0]).toEqual({ field, message, ...reason })
    }
    expect((await setNew(code)).status).toBe(200)
  })

  test('refuses a common password before any other check, and without using an attempt', async () => {
    for (let n = 0; n < 4; n += 1) {
      const { status, body } = await setNew(wrong, 'Password1')
      expect([status, body.errors?.[0].field]).toEqual([422, 'newPassword'])
    }
    expect((await setNew(code, 'Password1', 'otp_00000000000000000000000000')).status).toBe(422)
    expect((await setNew(code)).status).toBe(200)
  })

  test('refuses the own name as a password only for a caller with the code, which stays valid', async () => {
    expect((await setNew(wrong, 'tendai-moyo-1990')).status).toBe(400)
    for (let n = 0; n < 4; n += 1) {
      const { status, body } = await setNew(code, 'tendai-moyo-1990')
      expect([status, body.errors?.[0].field]).toEqual([422, 'newPassword'])
    }
    expect(await signInStatus('tendai-moyo-1990')).toBe(401)
    expect((await setNew(code)).status).toBe(200)
  })

  test('sets one password for 64 concurrent correct attempts', async () => {
    const mails = ctx.mails.length
    const passwords = Array.from({ length: 64 }, (_, n) => `password number ${n}`)
    const answers = await Promise.all(passwords.map((password) => setNew(code, password)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(63).fill(410)])
    const winner = passwords[answers.findIndex((answer) => answer.status === 200)] ?? ''
    expect(await signInStatus(winner)).toBe(200)
    expect(ctx.mails).toHaveLength(mails + 2)
  })

  test('checks three of 64 concurrent wrong codes', async () => {
    const guesses = Array.from({ length: 65 }, (_, n) => String(n).padStart(6, '0'))
      .filter((guess) => guess !== code)
      .slice(0, 64)
    const answers = await Promise.all(guesses.map((guess) => setNew(guess)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([
      ...Array(3).fill(400),
      ...Array(61).fill(410),
    ])
    expect((await setNew(code)).status).toBe(410)
  })

  test('accepts one of several concurrent correct codes', async () => {
    const codes = [{ otpId, code }, await requestCode(), await requestCode(), await requestCode()]
    const answers = await Promise.all(
      codes.map((each, n) => setNew(each.code, `password number ${n}`, each.otpId)),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 410, 410, 410])
  })

  test('leaves no session that the old password opens concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const pending = await signIn(ctx, merchant, unrecognisedVisitor)
      const pendingCode = lastCode()
      const next = `password of round ${round}`
      const [verified, set, signedIn] = await Promise.all([
        call(`/verify-otp/${pending.otpId}`, { purpose: 'signin', otp: pendingCode }),
        setNew(code, next),
        call('/signin', { email: merchant.email, password: merchant.password }),
      ])
      expect(set.status).toBe(200)
      if (verified.status === 200) {
        const { refreshToken } = verified.body
        expect((await call('/refresh-token', { refreshToken })).status).toBe(401)
      }
      if (signedIn.status === 200) {
        const late = { purpose: 'signin', otp: lastCode() }
        expect((await call(`/verify-otp/${signedIn.body.otpId}`, late)).status).toBe(410)
      }
      merchant = { ...merchant, password: next }
      ctx.clock.advance(60 * MINUTE_MS)
      const issued = await requestCode()
      otpId = issued.otpId
      code = issued.code
    }
  })

  test('changes nothing when the notice cannot be queued', async () => {
    const mailer = { send: () => Promise.reject(new Error('no queue')) }
    const { refreshToken } = await makeSession(ctx, merchant.merchantId)
    await expect(
      setNewPassword(
        { ...ctx, mailer },
        { otpId, otp: code, newPassword: NEW_PASSWORD },
        unrecognisedVisitor,
      ),
    ).rejects.toThrow('no queue')
    expect(await signInStatus(merchant.password)).toBe(200)
    expect((await call('/refresh-token', { refreshToken })).status).toBe(200)
    expect((await setNew(code)).status).toBe(200)
  })
})

import { OtpId } from '@muripo/contract/ids'
import { beforeEach, describe, expect, test } from 'vitest'
import { identityServer } from '../../../../../test/identity-server.ts'
import { codeIn, wrongCode } from '../../../../../test/mailed-code.ts'
import { statementsOf } from '../../../../../test/statements.ts'
import { uuidOf } from '../../../../platform/ids.ts'
import { type MadeMerchant, makeMerchant, runIdentityJobs, unrecognisedVisitor } from '../../factory.ts'
import { resetCodeJob } from './send-reset-code.ts'

const MINUTE_MS = 60_000

const { ctx, app } = await identityServer()

describe('POST /v1/auth/password/forgot', () => {
  let merchant: MadeMerchant

  beforeEach(async () => {
    merchant = await makeMerchant(ctx)
    ctx.mails.length = 0
  })

  const forgot = (email: string, headers = {}) =>
    app.inject({ method: 'POST', url: '/v1/auth/password/forgot', headers, payload: { email } })
  const setNew = (otpId: string, otp: string) =>
    app.inject({
      method: 'POST',
      url: `/v1/auth/password/setnew/${otpId}`,
      headers: { 'x-request-id': 'same' },
      payload: { otp, newPassword: 'another good password' },
    })
  const rowOf = (otpId: string) =>
    ctx.db.kysely
      .selectFrom('one_time_codes')
      .where('id', '=', uuidOf(OtpId.parse(otpId)))
      .selectAll()
      .executeTakeFirst()

  test('[CALLS-21] [CALLS-22] answers a message and an otpId, and a job mails the code', async () => {
    const response = await forgot(merchant.email)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({
      message: 'If an account has this email, we sent a code to it',
      otpId: expect.stringMatching(/^otp_[0-9a-z]{26}$/),
    })
    expect(ctx.mails).toEqual([])
    await runIdentityJobs(ctx)
    expect(ctx.mails).toEqual([
      expect.objectContaining({
        to: merchant.email,
        subject: 'Your Muripo password reset code',
      }),
    ])
  })

  test('mails the address as the account spells it, not as the caller typed it', async () => {
    await forgot(merchant.email.toUpperCase())
    await runIdentityJobs(ctx)
    expect(ctx.mails.map((mail) => mail.to)).toEqual([merchant.email])
  })

  test('mails the code in the language of the browser that requested it', async () => {
    await forgot(merchant.email, { 'accept-language': 'nd,en;q=0.8' })
    await runIdentityJobs(ctx)
    expect(ctx.mails.map((mail) => mail.subject)).toEqual(['Ikhodi yakho yokutshintsha iphasiwedi yeMuripo'])
  })

  test('answers an unknown email identically and mails nothing', async () => {
    const known = await forgot(merchant.email)
    const unknown = await forgot('nobody@example.com')
    expect(unknown.statusCode).toBe(known.statusCode)
    expect(Object.keys(unknown.headers).sort()).toEqual(Object.keys(known.headers).sort())
    expect(unknown.headers['content-length']).toBe(known.headers['content-length'])
    expect({ ...unknown.json(), otpId: '' }).toEqual({ ...known.json(), otpId: '' })
    await runIdentityJobs(ctx)
    expect(ctx.mails.map((mail) => mail.to)).toEqual([merchant.email])
  })

  test('does the same work for an unknown email, so that the time reveals nothing', async () => {
    const statements = (email: string) => statementsOf(ctx, () => forgot(email))
    const known = await statements(merchant.email)
    const unknown = await statements('nobody@example.com')
    expect(known.length).toBeGreaterThan(2)
    expect(unknown).toEqual(known)
    expect(known.join()).not.toContain('merchants')
    await runIdentityJobs(ctx)
  })

  test('a decoy answers wrong codes three times with 400 and then 410, identical to a real one', async () => {
    const [real, decoy] = await Promise.all(
      [merchant.email, 'nobody@example.com'].map(async (email) => (await forgot(email)).json().otpId),
    )
    await runIdentityJobs(ctx)
    const code = codeIn(ctx.mails[0]?.text)
    const wrong = wrongCode(code)
    const statuses: number[] = []
    for (let n = 0; n < 5; n += 1) {
      const [ofReal, ofDecoy] = [await setNew(real, wrong), await setNew(decoy, wrong)]
      expect(ofDecoy.payload).toBe(ofReal.payload)
      expect(ofDecoy.statusCode).toBe(ofReal.statusCode)
      statuses.push(ofDecoy.statusCode)
    }
    expect(statuses).toEqual([400, 400, 400, 410, 410])
  })

  test('a decoy ends after ten minutes like a real one', async () => {
    const { otpId } = (await forgot('nobody@example.com')).json()
    ctx.clock.advance(10 * MINUTE_MS - 1)
    expect((await setNew(otpId, '123456')).statusCode).toBe(400)
    ctx.clock.advance(1)
    expect((await setNew(otpId, '123456')).statusCode).toBe(410)
  })

  test('counts three of 64 concurrent attempts on a decoy', async () => {
    const { otpId } = (await forgot('nobody@example.com')).json()
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, n) => setNew(otpId, String(n).padStart(6, '0'))),
    )
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([
      ...Array(3).fill(400),
      ...Array(61).fill(410),
    ])
    expect(await rowOf(otpId)).toMatchObject({ person_id: null, attempts: 3, used_at: null })
  })

  test('mails once, however often its job runs', async () => {
    const { otpId } = (await forgot(merchant.email)).json()
    await runIdentityJobs(ctx)
    const hash = (await rowOf(otpId))?.code_hash
    await Promise.all(
      Array.from({ length: 8 }, () =>
        resetCodeJob(ctx).run({
          ...unrecognisedVisitor,
          otpId,
          email: merchant.email,
          device: null,
          at: ctx.clock.now().toISOString(),
        }),
      ),
    )
    expect(ctx.mails).toHaveLength(1)
    expect((await rowOf(otpId))?.code_hash).toEqual(hash)
  })

  test('does not revive a code whose attempts were used before its mail was sent', async () => {
    const { otpId } = (await forgot(merchant.email)).json()
    for (let n = 0; n < 3; n += 1) await setNew(otpId, '000000')
    await runIdentityJobs(ctx)
    expect(ctx.mails).toEqual([])
  })

  test('mails a mailbox at most five times an hour, and answers further requests identically', async () => {
    const answers = await Promise.all(Array.from({ length: 64 }, () => forgot(merchant.email)))
    expect(answers.every((answer) => answer.statusCode === 200)).toBe(true)
    expect(new Set(answers.map((answer) => answer.json().otpId)).size).toBe(64)
    await runIdentityJobs(ctx)
    expect(ctx.mails).toHaveLength(5)
    ctx.clock.advance(60 * MINUTE_MS)
    await forgot(merchant.email)
    await runIdentityJobs(ctx)
    expect(ctx.mails).toHaveLength(6)
  })

  test('leaves no trace of an unknown email after a day', async () => {
    const { otpId } = (await forgot('nobody@example.com')).json()
    await runIdentityJobs(ctx)
    expect(await rowOf(otpId)).toBeDefined()
    ctx.clock.advance(24 * 60 * MINUTE_MS + 1)
    await forgot('somebody@example.com')
    await runIdentityJobs(ctx)
    expect(await rowOf(otpId)).toBeUndefined()
  })

  test('stores the code only as a keyed hash', async () => {
    const { otpId } = (await forgot(merchant.email)).json()
    await runIdentityJobs(ctx)
    const code = codeIn(ctx.mails[0]?.text)
    expect(JSON.stringify(await rowOf(otpId))).not.toContain(code)
  })

  test.each([
    ['an empty email', { email: '' }, 'Email is required'],
    ['no email', {}, 'Email is required'],
    ['a text that is no email', { email: 'x' }, 'Please enter a valid email'],
    ['two addresses', { email: 'a@b.co,c@d.co' }, 'Please enter a valid email'],
    ['a line break', { email: 'a@b.co\r\nBcc: c@d.co' }, 'Please enter a valid email'],
  ])('[FORGOT-02] [FORGOT-03] refuses %s', async (_what, payload, message) => {
    const response = await app.inject({ method: 'POST', url: '/v1/auth/password/forgot', payload })
    expect(response.statusCode).toBe(422)
    const { reason: _forTranslations, ...error } = response.json().errors[0]
    expect(error).toEqual({ field: 'email', message })
  })
})

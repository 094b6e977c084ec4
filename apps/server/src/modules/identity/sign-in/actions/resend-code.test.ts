import { beforeEach, describe, expect, test, vi } from 'vitest'
import { identityServer } from '../../../../../test/identity-server.ts'
import { codeIn, wrongCode } from '../../../../../test/mailed-code.ts'
import { type MadeMerchant, makeMerchant, unrecognisedVisitor } from '../../factory.ts'
import { signIn } from './sign-in.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

const { ctx, app } = await identityServer()

describe('POST /v1/auth/resend-otp/:otpId', () => {
  let merchant: MadeMerchant
  let otpId: string

  beforeEach(async () => {
    merchant = await makeMerchant(ctx)
    otpId = (await signIn(ctx, merchant, unrecognisedVisitor)).otpId
  })

  const lastCode = () => codeIn(ctx.mails.at(-1)?.text)
  const resend = async (id: string, payload: object = { purpose: 'signin' }) => {
    const url = `/v1/auth/resend-otp/${encodeURIComponent(id)}`
    const response = await app.inject({ method: 'POST', url, payload })
    return { status: response.statusCode, body: response.json(), headers: response.headers }
  }
  const verify = async (id: string, otp: string) => {
    const payload = { purpose: 'signin', otp }
    return (await app.inject({ method: 'POST', url: `/v1/auth/verify-otp/${id}`, payload })).statusCode
  }

  test('[CALLS-19] [CALLS-20] answers a new otpId whose mailed code signs in', async () => {
    ctx.clock.advance(20 * SECOND_MS)
    const mails = ctx.mails.length
    const { status, body } = await resend(otpId)
    expect(status).toBe(200)
    expect(body).toEqual({
      message: 'We sent a new sign-in code to your email',
      otpId: expect.stringMatching(/^otp_/),
    })
    expect(body.otpId).not.toBe(otpId)
    expect(ctx.mails).toHaveLength(mails + 1)
    expect(ctx.mails.at(-1)?.to).toBe(merchant.email)
    expect(await verify(body.otpId, lastCode())).toBe(200)
  })

  test('ends the old code', async () => {
    const old = lastCode()
    ctx.clock.advance(20 * SECOND_MS)
    vi.spyOn(ctx.ids, 'digits').mockReturnValueOnce(wrongCode(old))
    const { body } = await resend(otpId)
    expect(await verify(otpId, old)).toBe(410)
    expect(await resend(otpId)).toMatchObject({ status: 410, body: { code: 'otp_expired' } })
    expect(await verify(body.otpId, old)).toBe(400)
    expect(await verify(body.otpId, lastCode())).toBe(200)
  })

  test('refuses sooner than 20 s after the last code, and returns the time to wait', async () => {
    const mails = ctx.mails.length
    expect(await resend(otpId)).toMatchObject({
      status: 429,
      body: { code: 'rate_limited', message: 'Please wait 20 seconds before you ask for another code' },
      headers: { 'retry-after': '20' },
    })
    ctx.clock.advance(20 * SECOND_MS - 1)
    expect(await resend(otpId)).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
    expect(ctx.mails).toHaveLength(mails)
    expect(await verify(otpId, lastCode())).toBe(200)
  })

  test('counts the pause from the latest sign-in of the merchant', async () => {
    ctx.clock.advance(15 * SECOND_MS)
    await signIn(ctx, merchant, unrecognisedVisitor)
    ctx.clock.advance(5 * SECOND_MS)
    expect(await resend(otpId)).toMatchObject({ status: 429, headers: { 'retry-after': '15' } })
  })

  test('sends five in an hour and no sixth, over all sign-ins of the merchant', async () => {
    let id = otpId
    for (let n = 0; n < 5; n += 1) {
      if (n === 3) id = (await signIn(ctx, merchant, unrecognisedVisitor)).otpId
      ctx.clock.advance(30 * SECOND_MS)
      const { status, body } = await resend(id)
      expect(status).toBe(200)
      id = body.otpId
    }
    ctx.clock.advance(30 * SECOND_MS)
    id = (await signIn(ctx, merchant, unrecognisedVisitor)).otpId
    ctx.clock.advance(30 * SECOND_MS)
    const refused = await resend(id)
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': String(3600 - 180) } })
    expect(refused.body.message).toBe('Please wait 57 minutes before you ask for another code')

    ctx.clock.advance(57 * MINUTE_MS)
    id = (await signIn(ctx, merchant, unrecognisedVisitor)).otpId
    ctx.clock.advance(20 * SECOND_MS)
    expect((await resend(id)).status).toBe(200)
  })

  test("does not count another merchant's codes", async () => {
    ctx.clock.advance(20 * SECOND_MS)
    await signIn(ctx, await makeMerchant(ctx), unrecognisedVisitor)
    expect((await resend(otpId)).status).toBe(200)
  })

  test.each([
    [
      'used',
      async () => {
        expect(await verify(otpId, lastCode())).toBe(200)
      },
    ],
    [
      'ten minutes old',
      async () => {
        ctx.clock.advance(10 * MINUTE_MS)
      },
    ],
    [
      'out of tries',
      async () => {
        const wrong = wrongCode(lastCode())
        for (let n = 0; n < 5; n += 1) await verify(otpId, wrong)
      },
    ],
  ])('answers a code that is %s like an expired one, and mails nothing', async (_what, spoil) => {
    await spoil()
    ctx.clock.advance(20 * SECOND_MS)
    const mails = ctx.mails.length
    expect(await resend(otpId)).toMatchObject({ status: 410, body: { code: 'otp_expired' } })
    expect(ctx.mails).toHaveLength(mails)
  })

  test.each(['otp_00000000000000000000000000', 'otp_x', 'mer_00000000000000000000000000', "x' or 1=1"])(
    'answers an unknown otpId like an expired one: %j',
    async (id) => {
      expect((await resend(id)).status).toBe(410)
    },
  )

  test('sends no sign-in code for a password reset', async () => {
    const forgot = await app.inject({
      method: 'POST',
      url: '/v1/auth/password/forgot',
      payload: { email: merchant.email },
    })
    ctx.clock.advance(20 * SECOND_MS)
    expect((await resend(forgot.json().otpId)).status).toBe(410)
  })

  test('refuses another purpose and unknown fields', async () => {
    expect((await resend(otpId, { purpose: 'password_reset' })).status).toBe(422)
    expect((await resend(otpId, { purpose: 'signin', email: 'a@b.co' })).status).toBe(422)
  })

  test('creates one code for 64 concurrent requests', async () => {
    ctx.clock.advance(20 * SECOND_MS)
    const mails = ctx.mails.length
    const answers = await Promise.all(Array.from({ length: 64 }, () => resend(otpId)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(63).fill(410)])
    expect(ctx.mails).toHaveLength(mails + 1)
  })

  test('creates one code for 64 concurrent resends from different sign-ins of one merchant', async () => {
    const ids = [otpId]
    for (let n = 1; n < 8; n += 1) ids.push((await signIn(ctx, merchant, unrecognisedVisitor)).otpId)
    ctx.clock.advance(20 * SECOND_MS)
    const answers = await Promise.all(Array.from({ length: 64 }, (_, n) => resend(ids[n % 8] ?? '')))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect(answers.every((answer) => [200, 410, 429].includes(answer.status))).toBe(true)
  })

  test('opens at most one session when the old code is entered while it is replaced', async () => {
    for (let round = 0; round < 8; round += 1) {
      const fresh = await makeMerchant(ctx)
      const id = (await signIn(ctx, fresh, unrecognisedVisitor)).otpId
      const old = lastCode()
      ctx.clock.advance(20 * SECOND_MS)
      const [verified, resent] = await Promise.all([verify(id, old), resend(id)])
      expect([verified, resent.status].sort()).toEqual([200, 410])
    }
  })
})

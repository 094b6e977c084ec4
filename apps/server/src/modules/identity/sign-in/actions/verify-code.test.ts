import { beforeEach, describe, expect, test, vi } from 'vitest'
import { identityServer } from '../../../../../test/identity-server.ts'
import { codeIn, wrongCode } from '../../../../../test/mailed-code.ts'
import { uuidOf } from '../../../../platform/ids.ts'
import { type MadeMerchant, makeMerchant, unrecognisedVisitor } from '../../factory.ts'
import { signIn } from './sign-in.ts'

const MINUTE_MS = 60_000

const { ctx, app } = await identityServer()

describe('POST /v1/auth/verify-otp/:otpId', () => {
  let merchant: MadeMerchant
  let otpId: Awaited<ReturnType<typeof signIn>>['otpId']
  let code: string
  let wrong: string

  beforeEach(async () => {
    merchant = await makeMerchant(ctx)
    otpId = (await signIn(ctx, merchant, unrecognisedVisitor)).otpId
    code = codeIn(ctx.mails.at(-1)?.text)
    wrong = wrongCode(code)
  })

  async function post(otp: string | number, id: string = otpId, purpose = 'signin') {
    const url = `/v1/auth/verify-otp/${encodeURIComponent(id)}`
    const response = await app.inject({ method: 'POST', url, payload: { purpose, otp } })
    return { status: response.statusCode, body: response.json() }
  }

  const sessions = async () => (await ctx.db.kysely.selectFrom('sessions').select('id').execute()).length
  const attemptsOf = (id: typeof otpId) =>
    ctx.db.kysely
      .selectFrom('one_time_codes')
      .where('id', '=', uuidOf(id))
      .select('attempts')
      .executeTakeFirst()

  test('[CALLS-17] [CALLS-18] returns both tokens for the mailed code', async () => {
    const { status, body } = await post(code)
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['authToken', 'refreshToken'])
  })

  test('answers a wrong code with 400, and accepts the correct one after it', async () => {
    expect(await post(wrong)).toMatchObject({ status: 400, body: { code: 'otp_invalid' } })
    expect((await post(code)).status).toBe(200)
  })

  test('accepts a code once', async () => {
    await post(code)
    expect(await post(code)).toMatchObject({ status: 410, body: { code: 'otp_expired' } })
  })

  test('ends after five wrong codes, for the correct one too', async () => {
    for (let n = 0; n < 5; n += 1) expect((await post(wrong)).status).toBe(400)
    expect((await post(code)).status).toBe(410)
    expect((await post(wrong)).status).toBe(410)
  })

  test('lives ten minutes', async () => {
    ctx.clock.advance(10 * MINUTE_MS - 1)
    expect((await post(wrong)).status).toBe(400)
    ctx.clock.advance(1)
    expect((await post(code)).status).toBe(410)
  })

  test.each([
    'otp_00000000000000000000000000',
    'otp_x',
    'mer_00000000000000000000000000',
    "x' or 1=1",
    '\u0000',
  ])('answers an unknown otpId like an expired one: %j', async (id) => {
    expect((await post(code, id)).status).toBe(410)
  })

  test('accepts no code of another sign-in', async () => {
    vi.spyOn(ctx.ids, 'digits').mockReturnValueOnce(wrong)
    const other = await signIn(ctx, merchant, unrecognisedVisitor)
    expect((await post(code, other.otpId)).status).toBe(400)
    expect((await post(wrong, other.otpId)).status).toBe(200)
    expect((await post(code)).status).toBe(200)
  })

  test.each([
    ['an empty code', '', 'OTP is required'],
    ['five digits', '12345', 'OTP must be 6 digits'],
    ['seven digits', '1234567', 'OTP must be 6 digits'],
    ['letters', '12345a', 'OTP must be 6 digits'],
    ['a number', 123456, 'Must be text'],
  ])('refuses %s without using an attempt (OTP-04, OTP-05)', async (_what, otp, message) => {
    const { status, body } = await post(otp)
    expect(status).toBe(422)
    const { reason: _forTranslations, ...error } = body.errors[0]
    expect(error).toEqual({ field: 'otp', message })
    expect(await attemptsOf(otpId)).toEqual({ attempts: 0 })
  })

  test('refuses another purpose', async () => {
    expect((await post(code, otpId, 'reset')).status).toBe(422)
  })

  test('opens one session for 64 concurrent correct attempts', async () => {
    const before = await sessions()
    const answers = await Promise.all(Array.from({ length: 64 }, () => post(code)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(63).fill(410)])
    expect(await sessions()).toBe(before + 1)
  })

  test('checks five of 64 concurrent wrong codes', async () => {
    const guesses = Array.from({ length: 64 }, (_, n) => String(n).padStart(6, '0')).filter(
      (guess) => guess !== code,
    )
    const answers = await Promise.all(guesses.map((guess) => post(guess)))
    expect(answers.filter((answer) => answer.status === 400)).toHaveLength(5)
    expect(answers.filter((answer) => answer.status === 410)).toHaveLength(guesses.length - 5)
    expect(await attemptsOf(otpId)).toEqual({ attempts: 5 })
    expect((await post(code)).status).toBe(410)
  })
})

import { OtpId } from '@muripo/contract/ids'
import { describe, expect } from 'vitest'
import { test as base } from '../../../../../test/fixtures.ts'
import { codeIn } from '../../../../../test/mailed-code.ts'
import { statementsOf } from '../../../../../test/statements.ts'
import { idFrom } from '../../../../platform/ids.ts'
import { makeMerchant, unrecognisedVisitor } from '../../factory.ts'
import { signIn } from './sign-in.ts'

const test = base
  .extend('merchant', { scope: 'file' }, async ({ ctx }) =>
    makeMerchant(ctx, { email: 'Tendai@Example.com', fullname: 'Tendai <b>Moyo' }),
  )
  .extend(
    'post',
    async ({ identity, merchant }) =>
      (email = merchant.email, password = merchant.password) =>
        identity.inject({
          method: 'POST',
          url: '/v1/auth/signin',
          headers: { 'x-request-id': 'same' },
          payload: { email, password },
        }),
  )

describe('POST /v1/auth/signin', () => {
  test.beforeEach(({ ctx }) => {
    // The failures of the last test are cleared.
    ctx.clock.advance(25 * 60 * 60 * 1000)
    ctx.mails.length = 0
  })

  test('[CALLS-11] [CALLS-12] [SIGNIN-10] answers an otpId and mails a code of six digits', async ({
    ctx,
    post,
  }) => {
    const response = await post()
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({
      otpId: expect.stringMatching(/^otp_[0-9a-z]{26}$/),
      message: expect.any(String),
    })
    expect(ctx.mails).toHaveLength(1)
    expect(ctx.mails[0]).toMatchObject({
      to: 'Tendai@Example.com',
      subject: 'Your Muripo sign-in code',
      text: expect.stringMatching(/\b\d{6}\b/),
      html: expect.stringContaining('Tendai &lt;b&gt;Moyo'),
    })
    expect(response.payload).not.toContain(codeIn(ctx.mails[0]?.text))
  })

  test('stores the code only as a keyed hash', async ({ ctx, post }) => {
    const { otpId } = (await post()).json()
    const code = codeIn(ctx.mails[0]?.text)
    const rows = await ctx.db.kysely.selectFrom('one_time_codes').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(code)
    expect(rows.map((row) => idFrom(OtpId, row.id))).toContain(otpId)
  })

  test.for(['tendai@example.com', 'TENDAI@EXAMPLE.COM', '  Tendai@Example.com '])(
    'finds the account by the email %j',
    async (email, { post }) => {
      expect((await post(email)).statusCode).toBe(200)
    },
  )

  test.for([
    ['an unknown email', 'nobody@example.com', 'correct horse battery'],
    ['a wrong password', 'Tendai@Example.com', 'wrong horse battery'],
    ['a password of one character', 'Tendai@Example.com', 'x'],
    ['a password in other case', 'Tendai@Example.com', 'Correct Horse Battery'],
    ['a password with a space after it', 'Tendai@Example.com', 'correct horse battery '],
    ['SQL for an email', "'or'1'='1'--@x.co", 'correct horse battery'],
  ])('refuses %s with the same answer, and mails nothing', async ([, email, password], { ctx, post }) => {
    const response = await post(email, password)
    expect(response.statusCode).toBe(401)
    expect(response.json()).toEqual({
      type: 'about:blank',
      title: 'The email or the password is not correct',
      status: 401,
      detail: 'The email or the password is not correct',
      message: 'The email or the password is not correct',
      code: 'credentials_invalid',
      requestId: 'same',
    })
    expect(ctx.mails).toEqual([])
  })

  test('does the same work for an unknown email as for a wrong password', async ({ ctx, post }) => {
    const wrong = await statementsOf(ctx, () => post(undefined, 'wrong horse battery'))
    const unknown = await statementsOf(ctx, () => post('nobody@example.com', 'wrong horse battery'))
    expect(wrong.length).toBeGreaterThan(2)
    expect(unknown).toEqual(wrong)
  })

  test.for<[string, object, string, string]>([
    ['an empty email', { email: '', password: 'x' }, 'email', 'Email is required'],
    ['no email', { password: 'x' }, 'email', 'Email is required'],
    ['a text that is no email', { email: 'x', password: 'x' }, 'email', 'Please enter a valid email'],
    ['an empty password', { email: 'a@b.co', password: '' }, 'password', 'Password is required'],
    ['an unknown field', { email: 'a@b.co', password: 'x', otp: '1' }, 'otp', 'Unknown field "otp"'],
    ['an object for a password', { email: 'a@b.co', password: {} }, 'password', 'Must be text'],
    ['null for an email', { email: null, password: 'x' }, 'email', 'Email is required'],
  ])('names the field of %s (SIGNIN-07 to SIGNIN-09)', async ([, payload, field, message], { identity }) => {
    const response = await identity.inject({ method: 'POST', url: '/v1/auth/signin', payload })
    expect(response.statusCode).toBe(422)
    const { reason: _forTranslations, ...error } = response.json().errors[0]
    expect(error).toEqual({ field, message })
  })

  test('stores no code when its email cannot be queued', async ({ ctx, merchant }) => {
    const mailer = { send: () => Promise.reject(new Error('no queue')) }
    const before = await ctx.db.kysely.selectFrom('one_time_codes').select('id').execute()
    await expect(signIn({ ...ctx, mailer }, merchant, unrecognisedVisitor)).rejects.toThrow('no queue')
    expect(await ctx.db.kysely.selectFrom('one_time_codes').select('id').execute()).toHaveLength(
      before.length,
    )
  })
})

import { describe, expect, test } from 'vitest'
import { identityServer } from '../../../../../test/identity-server.ts'
import { parseConfig } from '../../../../platform/config.ts'
import { makeDocumentUrl, makeMerchant } from '../../factory.ts'
import { merchantProfile } from '../../index.ts'

const { ctx, app } = await identityServer()

describe('POST /v1/auth/signup', () => {
  let count = 0

  async function form(changes: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    count += 1
    return {
      role: 'merchant',
      accountType: 'individual',
      fullname: 'Chipo Ndlovu',
      email: `chipo-${count}@example.com`,
      password: 'long enough',
      phonenumber: '077 123 4567',
      identificationDocumentType: 'passport',
      identificationDocumentPdf: await makeDocumentUrl(ctx),
      ...changes,
    }
  }

  async function post(payload: Record<string, unknown>) {
    const response = await app.inject({ method: 'POST', url: '/v1/auth/signup', payload })
    return { status: response.statusCode, body: response.json() }
  }

  const rowOf = (email: string) =>
    ctx.db.kysely.selectFrom('merchants').where('email', '=', email).selectAll().executeTakeFirst()

  test('[CALLS-15] [SIGNUP-29] opens an account and no session', async () => {
    const payload = await form({ email: 'one@example.com' })
    const { status, body } = await post(payload)
    expect(status).toBe(201)
    expect(Object.keys(body).sort()).toEqual(['merchantId', 'message'])
    expect(await merchantProfile(ctx.db.kysely, body.merchantId)).toEqual({
      fullname: 'Chipo Ndlovu',
      email: 'one@example.com',
      timeZone: 'Africa/Harare',
      locale: null,
      reportingCurrency: 'USD',
    })
    expect(await rowOf('one@example.com')).toMatchObject({
      phone: '+263771234567',
      document_type: 'passport',
    })
  })

  test('keeps the password as argon2id of 46 MiB and under a pepper', async () => {
    const { passwords } = parseConfig({})
    const { email } = await makeMerchant({ ...ctx, config: { ...ctx.config, passwords } })
    const row = await ctx.db.kysely
      .selectFrom('persons')
      .select('password_hash')
      .where('email', '=', email)
      .executeTakeFirst()
    expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/)
    const { verify } = await import('@node-rs/argon2')
    expect(await verify(row?.password_hash ?? '', 'correct horse battery')).toBe(false)
  })

  test.each(['Ñandú Łukasz 商店', '🌍 Café', "O'Neil; drop table merchants--"])(
    'stores the name %s unchanged',
    async (fullname) => {
      const { body } = await post(await form({ fullname }))
      expect((await merchantProfile(ctx.db.kysely, body.merchantId)).fullname).toBe(fullname)
    },
  )

  test.each([
    ['another role', { role: 'admin' }, 'role'],
    ['an extra field', { isAdmin: true }, 'isAdmin'],
    ['no account type', { accountType: undefined }, 'accountType'],
    [
      "the other account type's document",
      { identificationDocumentType: 'tax_id' },
      'identificationDocumentType',
    ],
    ['an empty name', { fullname: ' ' }, 'fullname'],
    ['an email without a domain', { email: 'chipo@nowhere' }, 'email'],
    ['an email with a NUL', { email: 'a\u0000@example.com' }, 'email'],
    ['an email that is two', { email: 'a,b@example.com' }, 'email'],
    ['seven characters of password', { password: '1234567' }, 'password'],
    ['129 characters of password', { password: 'x'.repeat(129) }, 'password'],
    ['a password of eight surrogates that are four characters', { password: '🌍🌍🌍🌍' }, 'password'],
    ['a password with half a character', { password: 'half a \ud800 character' }, 'password'],
    ['a common password', { password: 'Password1' }, 'password'],
    ['the own name with a year for a password', { password: 'Chipo.Ndlovu1990' }, 'password'],
    ['the own phone number for a password', { password: '0771234567' }, 'password'],
    ['the name of the service for a password', { password: 'muripo-2026' }, 'password'],
    ['a name of two lines', { fullname: 'Chipo\nNdlovu' }, 'fullname'],
    ['a name that turns the text around', { fullname: 'Chipo \u202e' }, 'fullname'],
    ['a name of 201 characters', { fullname: 'x'.repeat(201) }, 'fullname'],
    ['a phone number of 33 characters', { phonenumber: '0771234567'.padEnd(33, ' 1') }, 'phonenumber'],
    ['an empty phone number', { phonenumber: '' }, 'phonenumber'],
    ['a phone number that does not exist', { phonenumber: '12345' }, 'phonenumber'],
    ['no document', { identificationDocumentPdf: '' }, 'identificationDocumentPdf'],
  ])('refuses %s (SIGNUP-10 to SIGNUP-18, SIGNUP-23)', async (_what, changes, field) => {
    const { status, body } = await post(await form(changes))
    expect(status).toBe(422)
    expect(body.code).toBe('validation_failed')
    expect(body.errors.map((error: { field: string }) => error.field)).toContain(field)
  })

  test.each([
    '🌍🌍🌍🌍🌍🌍🌍🌍',
    'x'.repeat(127).concat('🌍'),
    '  two spaces around  ',
    'tab\tand\u0007bell',
    'ﷺ of many',
  ])('takes the password %j, and signs in with it', async (password) => {
    const payload = await form({ password })
    expect((await post(payload)).status).toBe(201)
    const { email } = payload
    const signedIn = await app.inject({
      method: 'POST',
      url: '/v1/auth/signin',
      payload: { email, password },
    })
    expect(signedIn.statusCode).toBe(200)
  })

  test('has an error for each problem of a password', async () => {
    const wrong = async (password: string) => (await post(await form({ password }))).body.errors
    expect(await wrong('liverpool1')).toEqual([
      {
        field: 'password',
        message: 'This password is used by many people. Please choose another one',
        reason: { code: 'passwordCommon', values: {} },
      },
    ])
    expect(await wrong('ndlovu-chipo')).toEqual([
      {
        field: 'password',
        message: 'Your password must not be made of your name, email or phone. Please choose another one',
        reason: { code: 'passwordOfOwnWords', values: {} },
      },
    ])
  })

  test('has an error for each problem of a phone number', async () => {
    const { body } = await post(await form({ phonenumber: '+263 1' }))
    const reason = { code: 'phoneNotValid', values: {} }
    expect(body.reason).toEqual(reason)
    expect(body.errors).toEqual([
      { field: 'phonenumber', message: 'Please enter a valid phone number', reason },
    ])
  })

  test('refuses an address that this server did not issue', async () => {
    const own = await makeDocumentUrl(ctx)
    const changed = `${own.slice(0, -4)}${own.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`
    const urls = [
      'https://example.com/passport.pdf',
      own.replace('gateway.test', 'gateway.test.evil.example'),
      own.replace('http:', 'https:'),
      changed,
      `${own}x`,
      `${own}?x=1`,
      'http://gateway.test/v1/files/../../etc/passwd',
      'http://gateway.test/v1/files/',
      'http://127.0.0.1:1/',
    ]
    for (const identificationDocumentPdf of urls) {
      const { status, body } = await post(await form({ identificationDocumentPdf }))
      expect([status, body.code, body.errors?.[0].field], identificationDocumentPdf).toEqual([
        422,
        'document_invalid',
        'identificationDocumentPdf',
      ])
    }
  })

  test('refuses a document whose record was deleted', async () => {
    const payload = await form()
    await ctx.db.kysely
      .deleteFrom('documents')
      .where('id', 'not in', ctx.db.kysely.selectFrom('merchants').select('document_id'))
      .execute()
    expect((await post(payload)).body.code).toBe('document_invalid')
  })

  test('refuses a document that another account has used', async () => {
    const payload = await form()
    await post(payload)
    const second = await post(await form({ identificationDocumentPdf: payload.identificationDocumentPdf }))
    expect([second.status, second.body.code]).toEqual([422, 'document_invalid'])
  })

  test('refuses an email that an account has, in any case and Unicode form', async () => {
    await post(await form({ email: 'Taken.\u00c9ric@Example.com' }))
    for (const email of [
      'Taken.\u00c9ric@Example.com',
      'TAKEN.\u00c9RIC@EXAMPLE.COM',
      'taken.E\u0301ric@example.com ',
    ]) {
      const { status, body } = await post(await form({ email }))
      expect([status, body.code, body.message], email).toEqual([
        409,
        'email_taken',
        'An account with this email already exists',
      ])
    }
  })

  test('one of many concurrent sign-ups with the same email succeeds', async () => {
    const payloads = await Promise.all(Array.from({ length: 12 }, () => form({ email: 'race@example.com' })))
    const answers = await Promise.all(payloads.map(post))
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(11).fill(409)])
  })

  test('one of many concurrent sign-ups with the same document succeeds', async () => {
    const identificationDocumentPdf = await makeDocumentUrl(ctx)
    const payloads = await Promise.all(Array.from({ length: 12 }, () => form({ identificationDocumentPdf })))
    const answers = await Promise.all(payloads.map(post))
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(11).fill(422)])
  })

  test('refuses a sign-up while two hashes run and fifty wait', async () => {
    const payloads = await Promise.all(Array.from({ length: 64 }, () => form()))
    const answers = await Promise.all(payloads.map(post))
    const away = answers.filter((answer) => answer.status === 503)
    expect(answers.filter((answer) => answer.status === 201).length + away.length).toBe(64)
    expect(away.length).toBeLessThanOrEqual(12)
    expect(away.every((answer) => answer.body.code === 'service_unavailable')).toBe(true)
  })
})

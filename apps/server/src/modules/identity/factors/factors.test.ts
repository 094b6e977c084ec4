import type { Tokens } from '@muripo/contract/auth'
import { totpCode } from '@muripo/testing/authenticator-app'
import { beforeEach, describe, expect, test } from 'vitest'
import { auditEntriesOn } from '../../../../test/audit-entries.ts'
import { identityServer } from '../../../../test/identity-server.ts'
import { codeIn, wrongCode } from '../../../../test/mailed-code.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { type MadeMerchant, makeMerchant, makeSession, unrecognisedVisitor } from '../factory.ts'
import { useSecondFactor } from './second-factor.ts'

const MINUTE_MS = 60_000
const STEP_MS = 30_000

const { ctx, app } = await identityServer({ RATE_LIMITS: '1' })

let merchant: MadeMerchant
let tokens: Tokens

beforeEach(async () => {
  ctx.clock.advance(48 * 60 * MINUTE_MS)
  ctx.mails.length = 0
  merchant = await makeMerchant(ctx)
  tokens = await makeSession(ctx, merchant.merchantId)
})

async function call(method: 'GET' | 'POST', path: string, payload?: object, by: Tokens | null = tokens) {
  const response = await app.inject({
    method,
    url: `/v1${path}`,
    headers: by === null ? {} : { authorization: `Bearer ${by.authToken}` },
    ...(payload && { payload }),
  })
  return { status: response.statusCode, body: response.payload ? response.json() : null }
}
const password = 'correct horse battery'
const start = async () => (await call('POST', '/account/totp/start', { password })).body
const codeOf = (secret: string, offMs = 0) => totpCode(secret, new Date(ctx.clock.now().getTime() + offMs))
/** Adds an app, and waits until its next code. */
async function enrol(): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = await start()
  const { body } = await call('POST', '/account/totp', { code: codeOf(secret) })
  ctx.clock.advance(STEP_MS)
  return { secret, ...body }
}
const factors = async () => (await call('GET', '/account/factors')).body
const passwordStep = async () =>
  (await call('POST', '/auth/signin', { email: merchant.email, password }, null)).body
const verify = (otpId: string, otp: string) =>
  call('POST', `/auth/verify-otp/${otpId}`, { purpose: 'signin', otp }, null)
const signIn = async (otp: string) => verify((await passwordStep()).otpId, otp)
const subjects = () => ctx.mails.map(({ subject }) => subject)

describe('an authenticator app', () => {
  test('is added with the password and its first code, and shown in the list', async () => {
    expect(await factors()).toEqual({
      totp: null,
      recoveryCodesLeft: 0,
      passkeys: 0,
      requiredFrom: null,
      passkeyRequiredFrom: null,
    })
    const { secret, uri, qr } = await start()
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(new URL(uri).searchParams.get('secret')).toBe(secret)
    expect(decodeURIComponent(uri)).toContain(`Muripo:${merchant.email}`)
    expect(qr).toMatchObject({ size: expect.any(Number), path: expect.stringMatching(/^M/) })
    const { status, body } = await call('POST', '/account/totp', { code: codeOf(secret) })
    expect(status).toBe(200)
    expect(new Set(body.recoveryCodes).size).toBe(10)
    const enabledAt = ctx.clock.now().toISOString()
    expect(await factors()).toMatchObject({ totp: { enabledAt }, recoveryCodesLeft: 10 })
    expect(subjects()).toEqual(['An authenticator app was added to your Muripo account'])
  })

  test('is not added without the password, with a wrong code, after a quarter of an hour, or twice', async () => {
    expect((await call('POST', '/account/totp/start', { password: 'wrong' })).status).toBe(422)
    const { secret } = await start()
    expect((await call('POST', '/account/totp', { code: wrongCode(codeOf(secret)) })).body.code).toBe(
      'otp_invalid',
    )
    ctx.clock.advance(10 * MINUTE_MS)
    tokens = await makeSession(ctx, merchant.merchantId)
    ctx.clock.advance(5 * MINUTE_MS)
    tokens = await makeSession(ctx, merchant.merchantId)
    expect((await call('POST', '/account/totp', { code: codeOf(secret) })).body.code).toBe('totp_expired')
    await enrol()
    expect((await call('POST', '/account/totp/start', { password })).body.code).toBe('totp_enabled')
    expect((await call('POST', '/account/totp', { code: codeOf(secret) })).body.code).toBe('totp_enabled')
  })

  test('is not enabled by whoever guesses its first code: after ten wrong ones the right one is refused, too', async () => {
    const { secret } = await start()
    const guess = (code: string) => call('POST', '/account/totp', { code })
    for (let n = 0; n < 10; n += 1)
      expect((await guess(wrongCode(codeOf(secret)))).body.code).toBe('otp_invalid')
    expect((await guess(codeOf(secret))).body.code).toBe('rate_limited')
    expect((await factors()).recoveryCodesLeft).toBe(0)
  })

  test('changes no sign-in before its first code, and belongs to its own person', async () => {
    const { secret } = await start()
    const other = await makeMerchant(ctx)
    const theirs = await makeSession(ctx, other.merchantId)
    expect((await call('POST', '/account/totp', { code: codeOf(secret) }, theirs)).body.code).toBe(
      'totp_expired',
    )
    expect(await passwordStep()).toEqual({ otpId: expect.any(String), message: expect.any(String) })
    expect(codeIn(ctx.mails.at(-1)?.text)).not.toBe('')
  })

  test('is enabled by one of 16 equal calls', async () => {
    const { secret } = await start()
    const code = codeOf(secret)
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => call('POST', '/account/totp', { code })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await factors()).recoveryCodesLeft).toBe(10)
  })

  test('has an encrypted secret and hashed recovery codes in the database', async () => {
    const { secret, recoveryCodes } = await enrol()
    const { rows } = await ctx.db.pool.query(
      `select totp_factors::text || string_agg(recovery_codes::text, '') as stored
       from totp_factors join recovery_codes using (person_id) where person_id = $1 group by totp_factors`,
      [uuidOf(merchant.personId)],
    )
    const [{ stored }] = rows
    expect(stored).toContain(uuidOf(merchant.personId))
    for (const text of [secret, ...recoveryCodes.map((code) => code.replace('-', ''))])
      for (const encoded of [text, Buffer.from(text).toString('hex')]) expect(stored).not.toContain(encoded)
  })

  test('of another person stays, with its recovery codes, when a person removes the own one', async () => {
    const { secret, recoveryCodes } = await enrol()
    const other = await makeMerchant(ctx)
    const theirs = await makeSession(ctx, other.merchantId)
    for (const path of ['/account/totp/remove', '/account/recovery-codes'])
      expect((await call('POST', path, { password }, theirs)).status).toBe(404)
    expect((await signIn(codeOf(secret))).status).toBe(200)
    expect((await signIn(recoveryCodes[0] ?? '')).status).toBe(200)
  })

  test('is removed with the password, and its recovery codes end', async () => {
    const { recoveryCodes } = await enrol()
    expect((await call('POST', '/account/totp/remove', { password: 'wrong' })).status).toBe(422)
    expect((await call('POST', '/account/totp/remove', { password })).status).toBe(204)
    expect((await call('POST', '/account/totp/remove', { password })).status).toBe(404)
    expect(await factors()).toMatchObject({ totp: null, recoveryCodesLeft: 0 })
    expect(subjects()).toContain('The authenticator app was removed from your Muripo account')
    expect((await signIn(recoveryCodes[0] ?? '')).body.code).toBe('otp_invalid')
  })
})

describe('a sign-in with an authenticator app', () => {
  test('asks for the code of the app, and mails none', async () => {
    const { secret } = await enrol()
    ctx.mails.length = 0
    const step = await passwordStep()
    expect(step).toMatchObject({ totp: true, message: 'Enter the code of your authenticator app' })
    expect(ctx.mails).toEqual([])
    const { status, body } = await verify(step.otpId, codeOf(secret))
    expect(status).toBe(200)
    expect((await call('GET', '/account', undefined, body)).status).toBe(200)
    const { sessions } = (await call('GET', '/account/sessions', undefined, body)).body
    expect(await auditEntriesOn(ctx, sessions[0]._id)).toMatchObject([
      { action: 'session.opened', details: { totp: true } },
    ])
  })

  test('accepts the codes of the step before and after, and none further away', async () => {
    const { secret } = await enrol()
    ctx.clock.advance(10 * STEP_MS)
    expect((await signIn(codeOf(secret, -2 * STEP_MS))).status).toBe(400)
    expect((await signIn(codeOf(secret, 2 * STEP_MS))).status).toBe(400)
    expect((await signIn(codeOf(secret, -STEP_MS))).status).toBe(200)
    expect((await signIn(codeOf(secret, STEP_MS))).status).toBe(200)
  })

  test('accepts a code once, and none of an earlier step afterwards', async () => {
    const { secret } = await enrol()
    expect((await signIn(codeOf(secret))).status).toBe(200)
    expect((await signIn(codeOf(secret))).body.code).toBe('otp_invalid')
    expect((await signIn(codeOf(secret, -STEP_MS))).body.code).toBe('otp_invalid')
    ctx.clock.advance(STEP_MS)
    expect((await signIn(codeOf(secret))).status).toBe(200)
  })

  test('accepts neither the code of the enrolment nor a code that was mailed before it', async () => {
    const { otpId } = await passwordStep()
    const mailed = codeIn(ctx.mails.at(-1)?.text)
    const { secret } = await start()
    const code = codeOf(secret)
    await call('POST', '/account/totp', { code })
    expect((await verify(otpId, mailed)).body.code).toBe('otp_invalid')
    expect((await verify(otpId, code)).body.code).toBe('otp_invalid')
  })

  test('accepts one of 64 equal codes, and one of 64 equal recovery codes', async () => {
    const { secret, recoveryCodes } = await enrol()
    for (const code of [codeOf(secret), (recoveryCodes[0] ?? '').replace('-', '')]) {
      const uses = Array.from({ length: 64 }, () =>
        ctx.db.tx((tx) => useSecondFactor(ctx, tx, merchant.personId, code, unrecognisedVisitor)),
      )
      expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1)
    }
  })

  test('counts wrong codes like those of the mailed one', async () => {
    const { secret } = await enrol()
    const { otpId } = await passwordStep()
    const wrong = wrongCode(codeOf(secret))
    for (let n = 0; n < 5; n += 1) expect((await verify(otpId, wrong)).body.code).toBe('otp_invalid')
    expect((await verify(otpId, codeOf(secret))).body.code).toBe('otp_expired')
    const next = (await passwordStep()).otpId
    for (let n = 0; n < 5; n += 1) await verify(next, wrong)
    expect((await verify((await passwordStep()).otpId, codeOf(secret))).body.code).toBe('rate_limited')
  })

  test('asks for the code of the app after another request for a code', async () => {
    const { secret } = await enrol()
    const { otpId } = await passwordStep()
    ctx.clock.advance(MINUTE_MS)
    ctx.mails.length = 0
    const { body } = await call('POST', `/auth/resend-otp/${otpId}`, { purpose: 'signin' }, null)
    expect(ctx.mails).toEqual([])
    expect((await verify(body.otpId, codeOf(secret))).status).toBe(200)
  })

  test('accepts each recovery code once, however it is typed, and reports it by email', async () => {
    const { recoveryCodes } = await enrol()
    const [code = ''] = recoveryCodes
    expect(code).toMatch(/^[0-9a-z]{5}-[0-9a-z]{5}$/)
    ctx.mails.length = 0
    expect((await signIn(` ${code.toUpperCase()} `)).status).toBe(200)
    expect(ctx.mails[0]).toMatchObject({
      subject: 'A recovery code of your Muripo account was used',
      text: expect.stringContaining('9 recovery codes are left'),
    })
    expect((await signIn(code)).body.code).toBe('otp_invalid')
    expect(await factors()).toMatchObject({ recoveryCodesLeft: 9 })
  })

  test('does not use up a recovery code when the sign-in has ended', async () => {
    const { secret, recoveryCodes } = await enrol()
    const { otpId } = await passwordStep()
    await verify(otpId, codeOf(secret))
    expect((await verify(otpId, recoveryCodes[0] ?? '')).body.code).toBe('otp_expired')
    expect(await factors()).toMatchObject({ recoveryCodesLeft: 10 })
  })

  test('accepts new recovery codes in place of the earlier ones', async () => {
    const { recoveryCodes: earlier } = await enrol()
    expect((await call('POST', '/account/recovery-codes', { password: 'wrong' })).status).toBe(422)
    const { body } = await call('POST', '/account/recovery-codes', { password })
    expect((await signIn(earlier[0] ?? '')).status).toBe(400)
    expect((await signIn(body.recoveryCodes[0])).status).toBe(200)
  })

  test('of an account without an app refuses a recovery code as a wrong code', async () => {
    expect((await signIn('abcde-fghjk')).body.code).toBe('otp_invalid')
    expect((await signIn('abcde-fghj')).status).toBe(422)
    expect((await call('POST', '/account/recovery-codes', { password })).status).toBe(404)
  })
})

test('the database refuses a step that is not later than the last one', async () => {
  await enrol()
  await expect(
    ctx.db.pool.query('update totp_factors set last_step = last_step where person_id = $1', [
      uuidOf(merchant.personId),
    ]),
  ).rejects.toThrow('used twice')
})

import type { Tokens } from '@muripo/contract/auth'
import { beforeEach, describe, expect, test } from 'vitest'
import { auditEntriesOn, byMerchant } from '../../../../../test/audit-entries.ts'
import { identityServer } from '../../../../../test/identity-server.ts'
import { codeIn } from '../../../../../test/mailed-code.ts'
import type { Device } from '../../devices/visitor.ts'
import {
  type MadeMerchant,
  makeDevice,
  makeMerchant,
  makeSession,
  ownerCaller,
  runIdentityJobs,
  unrecognisedVisitor,
} from '../../factory.ts'
import { signOutEverywhere } from '../../sessions/actions/end-sessions.ts'
import { changePassword } from './change-password.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const NEW_PASSWORD = 'a password nobody guesses'
const safari =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15'

const { ctx, app } = await identityServer({ RATE_LIMITS: '1' })

describe('POST /v1/account/password', () => {
  let merchant: MadeMerchant
  let mine: Tokens
  let device: Device

  beforeEach(async () => {
    ctx.clock.advance(24 * 60 * MINUTE_MS)
    merchant = await makeMerchant(ctx)
    mine = await makeSession(ctx, merchant.merchantId)
    device = await makeDevice(ctx, merchant.merchantId)
  })

  const headersOf = (tokens: Tokens | null, from: Device | null) => ({
    'x-request-id': 'request-1',
    'user-agent': safari,
    ...(tokens && { authorization: `Bearer ${tokens.authToken}` }),
    ...(from && { cookie: `muripo-device=${from.token}` }),
  })
  async function call(
    path: string,
    payload: object,
    tokens: Tokens | null = null,
    from: Device | null = null,
  ) {
    const response = await app.inject({
      method: 'POST',
      url: `/v1${path}`,
      remoteAddress: '203.0.113.7',
      headers: headersOf(tokens, from),
      payload,
    })
    const wait = Number(response.headers['retry-after'] ?? 0)
    return { status: response.statusCode, wait, body: response.payload ? response.json() : null }
  }
  const change = (
    currentPassword: string,
    newPassword = NEW_PASSWORD,
    tokens = mine,
    from: Device | null = device,
  ) => call('/account/password', { currentPassword, newPassword }, tokens, from)
  const right = (newPassword = NEW_PASSWORD) => change(merchant.password, newPassword)
  const signInStatus = async (password: string) =>
    (await call('/auth/signin', { email: merchant.email, password }, null, device)).status
  const refreshStatus = async ({ refreshToken }: Tokens) =>
    (await call('/auth/refresh-token', { refreshToken })).status
  const lastCode = () => codeIn(ctx.mails.findLast(({ text }) => codeIn(text) !== '')?.text)

  test('sets the password, and keeps this session alone', async () => {
    const elsewhere = await makeSession(ctx, merchant.merchantId)
    const other = await makeMerchant(ctx)
    const others = await makeSession(ctx, other.merchantId)
    expect(await right()).toMatchObject({
      status: 200,
      body: { message: 'Password changed. Every other device was signed out.' },
    })
    expect(await signInStatus(NEW_PASSWORD)).toBe(200)
    expect(await signInStatus(merchant.password)).toBe(401)
    expect((await change('wrong', NEW_PASSWORD, elsewhere)).status).toBe(401)
    expect(await refreshStatus(elsewhere)).toBe(401)
    expect(await refreshStatus(mine)).toBe(200)
    expect(await refreshStatus(others)).toBe(200)
  })

  test('is audited and mailed, without either password', async () => {
    await makeSession(ctx, merchant.merchantId)
    await right()
    const auditEntries = await auditEntriesOn(ctx, merchant.merchantId)
    expect(auditEntries.at(-1)).toMatchObject({
      action: 'account.password_changed',
      actor: merchant.merchantId,
      address: '203.0.113.7',
      request_id: 'caller:request-1',
      details: { browser: 'Safari on macOS', sessions: 1 },
    })
    const mail = ctx.mails.at(-1)
    expect(mail).toMatchObject({ to: merchant.email, subject: 'Your Muripo password was changed' })
    expect(mail?.text).toMatch(/Device: Safari on macOS\n(.|\n)*in the settings of your account\./)
    for (const secret of [merchant.password, NEW_PASSWORD])
      expect(JSON.stringify([auditEntries, mail])).not.toContain(secret)
  })

  test('a stolen session needs the old password, and is slowed like an unrecognised device', async () => {
    const thief = (guess: string) => change(guess, 'the password of a thief', mine, null)
    for (let n = 0; n < 3; n += 1) {
      expect(await thief(`guess ${n}`)).toMatchObject({
        status: 422,
        body: {
          code: 'validation_failed',
          errors: [{ field: 'currentPassword', message: 'The current password is not correct' }],
        },
      })
    }
    const waits: number[] = []
    for (let n = 0; n < 7; n += 1) {
      const { status, wait } = await thief(merchant.password)
      expect(status).toBe(429)
      waits.push(wait)
      ctx.clock.advance(wait * SECOND_MS)
      expect((await thief(`guess ${n}`)).status).toBe(422)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64])
    // Sign-ins count the same failures, so the thief cannot continue guessing there.
    const atTheDoor = await call('/auth/signin', { email: merchant.email, password: 'guess' })
    expect([atTheDoor.status, atTheDoor.wait]).toEqual([429, 1800])
    // The owner does not wait in a recognised browser.
    expect(await signInStatus(merchant.password)).toBe(200)
    expect((await right()).status).toBe(200)
    await runIdentityJobs(ctx)
    const refused = (await auditEntriesOn(ctx, merchant.merchantId)).filter(
      ({ action }) => action === 'account.password_refused',
    )
    expect(refused).toHaveLength(10)
  })

  test('one of 64 concurrent changes is made, and its password is valid', async () => {
    const elsewhere = await makeSession(ctx, merchant.merchantId)
    const mails = ctx.mails.length
    const passwords = Array.from({ length: 64 }, (_, n) => `password number ${n}`)
    const answers = await Promise.all(
      passwords.map((password, n) => change(merchant.password, password, n % 2 ? mine : elsewhere)),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => ![200, 401, 422, 429].includes(status))).toEqual([])
    expect(ctx.mails).toHaveLength(mails + 1)
    const winner = statuses.indexOf(200)
    ctx.clock.advance(MINUTE_MS)
    expect(await signInStatus(passwords[winner] ?? '')).toBe(200)
    expect(await signInStatus(merchant.password)).toBe(401)
    expect([await refreshStatus(mine), await refreshStatus(elsewhere)]).toEqual(
      winner % 2 ? [200, 401] : [401, 200],
    )
  })

  test('leaves no session that the old password opens concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { body } = await call('/auth/signin', merchantIn(), null, device)
      const code = { purpose: 'signin', otp: lastCode() }
      const next = `password of round ${round}`
      const [verified, changed] = await Promise.all([
        call(`/auth/verify-otp/${body.otpId}`, code),
        change(merchant.password, next),
      ])
      expect(changed.status).toBe(200)
      const refreshed = verified.status === 200 ? await refreshStatus(verified.body) : null
      expect([
        [200, 401],
        [410, null],
      ]).toContainEqual([verified.status, refreshed])
      merchant = { ...merchant, password: next }
    }
  })
  const merchantIn = () => ({ email: merchant.email, password: merchant.password })

  test('is refused for a session that ended during the check of the password', async () => {
    const caller = await ownerCaller(ctx, merchant.merchantId)
    await signOutEverywhere(ctx, byMerchant(merchant.merchantId), caller, async () => undefined)
    const input = { currentPassword: merchant.password, newPassword: NEW_PASSWORD }
    await expect(changePassword(ctx, caller, input, unrecognisedVisitor)).rejects.toMatchObject({
      code: 'session_invalid',
    })
    expect(await signInStatus(merchant.password)).toBe(200)
  })

  test('is not made when the notice cannot be queued', async () => {
    const caller = await ownerCaller(ctx, merchant.merchantId)
    const mailer = { send: () => Promise.reject(new Error('no queue')) }
    const input = { currentPassword: merchant.password, newPassword: NEW_PASSWORD }
    await expect(changePassword({ ...ctx, mailer }, caller, input, unrecognisedVisitor)).rejects.toThrow(
      'no queue',
    )
    expect(await signInStatus(merchant.password)).toBe(200)
    expect(await refreshStatus(mine)).toBe(200)
  })

  test.each([
    [
      'no current password',
      { currentPassword: undefined },
      'currentPassword',
      'Current password is required',
      undefined,
    ],
    [
      'an empty one',
      { currentPassword: '' },
      'currentPassword',
      'Current password is required',
      'currentPasswordMissing',
    ],
    ['no new password', { newPassword: undefined }, 'newPassword', 'New password is required', undefined],
    [
      'seven characters',
      { newPassword: '1234567' },
      'newPassword',
      'Password must be at least 8 characters',
      'passwordTooShort',
    ],
    [
      'a common password',
      { newPassword: 'Password1' },
      'newPassword',
      /used by many people/,
      'passwordCommon',
    ],
    ['the own name', { newPassword: 'tendai-moyo-1990' }, 'newPassword', /your name/, 'passwordOfOwnWords'],
    [
      'the old one again',
      { newPassword: 'correct horse battery' },
      'newPassword',
      'Please choose a password other than the current one',
      'passwordUnchanged',
    ],
    ['an email beside them', { email: 'a@b.co' }, 'email', 'Unknown field "email"', undefined],
  ])('refuses %s, and it counts as no attempt', async (_what, wrong, field, message, code) => {
    for (let n = 0; n < 5; n += 1) {
      const payload = { currentPassword: merchant.password, newPassword: NEW_PASSWORD, ...wrong }
      const { status, body } = await call('/account/password', payload, mine, device)
      expect(status).toBe(422)
      expect(body.errors[0]).toMatchObject({ field, message: expect.stringMatching(message) })
      expect([body.errors[0].reason?.code, body.reason?.code]).toEqual([code, code])
    }
    expect((await right()).status).toBe(200)
  })

  test('ten times an hour for one account, from whichever session', async () => {
    const elsewhere = async () => makeSession(ctx, merchant.merchantId)
    for (let n = 0; n < 10; n += 1) {
      const next = `password number ${n}`
      expect((await change(merchant.password, next, await elsewhere())).status).toBe(200)
      merchant = { ...merchant, password: next }
    }
    mine = await elsewhere()
    const late = await right()
    expect([late.status, late.wait]).toEqual([429, 3600])
    expect(await signInStatus(merchant.password)).toBe(200)
    ctx.clock.advance(60 * MINUTE_MS)
    mine = await elsewhere()
    expect((await right()).status).toBe(200)
  })
})

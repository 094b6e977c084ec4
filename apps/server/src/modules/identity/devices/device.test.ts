import { beforeEach, describe, expect, test } from 'vitest'
import { identityServer } from '../../../../test/identity-server.ts'
import { codeIn, wrongCode } from '../../../../test/mailed-code.ts'
import { productionEnv } from '../../../../test/production-env.ts'
import { testCtx } from '../../../../test/test-ctx.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { type MadeMerchant, makeMerchant } from '../factory.ts'
import { pruneIdentity } from '../jobs.ts'
import { deviceCookie, newDevice } from './visitor.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

const { ctx, app } = await identityServer()

describe('a device', () => {
  let merchant: MadeMerchant

  beforeEach(async () => {
    merchant = await makeMerchant(ctx)
    ctx.mails.length = 0
  })

  const post = (path: string, payload: object, cookie?: string) =>
    app.inject({
      method: 'POST',
      url: `/v1/auth${path}`,
      remoteAddress: '203.0.113.7',
      headers: { 'user-agent': chrome, ...(cookie ? { cookie } : {}) },
      payload,
    })
  /** Signs in and returns the cookie that the browser stores. */
  async function signIn(cookie?: string, { email, password } = merchant): Promise<string> {
    const { otpId } = (await post('/signin', { email, password }, cookie)).json()
    const otp = codeIn(ctx.mails.findLast(({ text }) => codeIn(text) !== '')?.text)
    const response = await post(`/verify-otp/${otpId}`, { purpose: 'signin', otp }, cookie)
    expect(response.statusCode).toBe(200)
    return String(response.headers['set-cookie']).split(';')[0] ?? ''
  }
  const subjects = () => ctx.mails.map(({ subject }) => subject)
  const code = 'Your Muripo sign-in code'
  const notice = 'New sign-in to your Muripo account'

  test('is reported by email when it is new, except the first; a recognised one is not', async () => {
    const first = await signIn()
    await signIn(first)
    expect(subjects()).toEqual([code, code])
    const second = await signIn()
    expect(subjects()).toEqual([code, code, code, notice])
    await signIn(second)
    await signIn(first)
    expect(subjects()).toEqual([code, code, code, notice, code, code])
    expect(ctx.mails[3]).toMatchObject({
      to: merchant.email,
      text: expect.stringContaining('Device: Chrome on Windows\nInternet address: 203.0.113.x'),
    })
  })

  test('that is new is named in the email with the code, before the sign-in', async () => {
    await signIn()
    await post('/signin', { email: merchant.email, password: merchant.password })
    const [known, unknown] = ctx.mails
    expect(known?.text).not.toContain('has not signed in')
    expect(unknown?.text).toMatch(
      /has not signed in to your account before\.\n\nWhen: .+\nDevice: Chrome on Windows\n/,
    )
  })

  test('receives its code in the language that its reader has chosen, and in English without a choice', async () => {
    const { email, password } = merchant
    await post('/signin', { email, password }, 'reader_locale=sn')
    await post('/signin', { email, password }, 'reader_locale=xx')
    expect(subjects()).toEqual(['Kodhi yenyu yekupinda muMuripo', code])
    expect(ctx.mails[0]?.html).toContain('lang="sn"')
  })

  test('keeps one secret for all its accounts, and is new to each', async () => {
    const other = await makeMerchant(ctx)
    await signIn(undefined, other)
    const cookie = await signIn()
    ctx.mails.length = 0
    expect(await signIn(cookie, other)).toBe(cookie)
    expect(subjects()).toEqual([code, notice])
  })

  test('cannot choose its own secret', async () => {
    const chosen = `muripo-device=${'A'.repeat(43)}`
    expect(await signIn(chosen)).not.toBe(chosen)
    ctx.mails.length = 0
    await signIn(chosen)
    expect(subjects()).toEqual([code, notice])
  })

  test.each(['', 'short', `${'A'.repeat(44)}`, `${'A'.repeat(42)}=`, `${'A'.repeat(42)}%00`])(
    'is unknown with the cookie %j',
    async (value) => {
      expect(await signIn(`muripo-device=${value}; other=1`)).toMatch(/^muripo-device=[\w-]{43}$/)
    },
  )

  test('is stored only as a keyed hash', async () => {
    const [, token = ''] = (await signIn()).split('=')
    const rows = await ctx.db.kysely.selectFrom('devices').selectAll().execute()
    const stored = rows.map(
      ({ token_hash }) => token_hash.toString('latin1') + token_hash.toString('base64url'),
    )
    expect(stored.join()).not.toContain(token)
    expect(stored.join()).not.toContain(Buffer.from(token, 'base64url').toString('latin1'))
  })

  test('is deleted when twenty others were used after it', async () => {
    const oldest = await signIn()
    for (let n = 0; n < 20; n += 1) {
      ctx.clock.advance(60_000)
      await signIn()
    }
    const rows = await ctx.db.kysely
      .selectFrom('devices')
      .where('person_id', '=', uuidOf(merchant.personId))
      .select('token_hash')
      .execute()
    expect(rows).toHaveLength(20)
    ctx.mails.length = 0
    await signIn(oldest)
    expect(subjects()).toEqual([code, notice])
  })

  test('is deleted when it was not used for 400 days', async () => {
    const cookie = await signIn()
    const rows = () =>
      ctx.db.kysely
        .selectFrom('devices')
        .where('person_id', '=', uuidOf(merchant.personId))
        .select('token_hash')
        .execute()
    ctx.clock.advance(399 * DAY_MS)
    await signIn(cookie)
    ctx.clock.advance(400 * DAY_MS)
    await pruneIdentity(ctx)
    expect(await rows()).toHaveLength(1)
    ctx.clock.advance(1)
    await pruneIdentity(ctx)
    expect(await rows()).toEqual([])
  })

  test('gets no secret after a wrong code', async () => {
    const { otpId } = (await post('/signin', { email: merchant.email, password: merchant.password })).json()
    const otp = wrongCode(codeIn(ctx.mails.at(-1)?.text))
    const response = await post(`/verify-otp/${otpId}`, { purpose: 'signin', otp })
    expect(response.headers['set-cookie']).toBeUndefined()
  })
})

test('the cookie of a device is not readable for scripts, other sites and other hosts', async () => {
  const ctx = await testCtx(productionEnv)
  expect(deviceCookie(ctx.config, newDevice(ctx))).toMatch(
    /^__Host-muripo-device=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  )
  await ctx.close()
})

import { beforeEach, describe, expect, test } from 'vitest'
import { identityServer } from '../../../test/identity-server.ts'
import { codeIn as mailedCode, wrongCode } from '../../../test/mailed-code.ts'
import { statementsOf } from '../../../test/statements.ts'
import { operatorActor } from '../../platform/audit/actor.ts'
import { readAudit } from '../../platform/audit/read-audit.ts'
import { makeDocumentUrl, runIdentityJobs } from './factory.ts'
import { endSessions } from './sessions/actions/end-sessions.ts'

const password = 'correct horse battery'
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

const { ctx, app } = await identityServer()

describe('the events of an account are audited', () => {
  let email: string
  let merchantId: string
  let count = 0

  beforeEach(async () => {
    count += 1
    email = `rudo-${count}@example.com`
    const { body } = await post('/signup', {
      role: 'merchant',
      accountType: 'individual',
      fullname: 'Rudo Dube',
      email,
      password,
      phonenumber: '077 123 4567',
      identificationDocumentType: 'passport',
      identificationDocumentPdf: await makeDocumentUrl(ctx),
    })
    merchantId = body.merchantId
  })

  async function post(path: string, payload: object | undefined, headers: Record<string, string> = {}) {
    const response = await app.inject({
      method: 'POST',
      url: `/v1/auth${path}`,
      remoteAddress: '203.0.113.9',
      headers: { 'x-request-id': 'request-9', 'user-agent': chrome, ...headers },
      ...(payload ? { payload } : {}),
    })
    return { status: response.statusCode, body: response.payload ? response.json() : null }
  }
  const codeIn = (kind: RegExp) =>
    mailedCode(ctx.mails.findLast(({ to, subject }) => to === email && kind.test(subject))?.text)
  async function signIn() {
    const { body } = await post('/signin', { email, password })
    const otpId = body.otpId as string
    const code = codeIn(/sign-in/)
    const { body: tokens } = await post(`/verify-otp/${otpId}`, { purpose: 'signin', otp: code })
    return { otpId, code, ...(tokens as { authToken: string; refreshToken: string }) }
  }
  async function auditEntries() {
    await runIdentityJobs(ctx)
    const lines = await readAudit(ctx.db.kysely, { about: merchantId }, 50)
    return lines.toReversed()
  }
  const actions = async () => (await auditEntries()).map(({ action }) => action)

  test('signing up, in and out, with actor and address', async () => {
    const { otpId, authToken } = await signIn()
    const bearer = { authorization: `Bearer ${authToken}` }
    await post('/signout', undefined, bearer)
    await post('/signout', undefined, bearer)
    const from = { address: '203.0.113.9', requestId: 'caller:request-9' }
    expect(await auditEntries()).toMatchObject([
      { ...from, action: 'account.opened', actor: 'unknown', subject: merchantId },
      {
        ...from,
        action: 'account.code_issued',
        actor: 'unknown',
        subject: otpId,
        details: { purpose: 'signin' },
      },
      {
        ...from,
        action: 'session.opened',
        actor: merchantId,
        subject: expect.stringMatching(/^ses_/),
        details: { browser: 'Chrome on Windows', knownDevice: false },
      },
      { ...from, action: 'session.signed_out', actor: merchantId, subject: expect.stringMatching(/^ses_/) },
    ])
  })

  test('a wrong password and a wrong code, with their times', async () => {
    const at = ctx.clock.now()
    await post('/signin', { email, password: 'a wrong guess' })
    const { body } = await post('/signin', { email, password })
    await post(`/verify-otp/${body.otpId}`, { purpose: 'signin', otp: wrongCode(codeIn(/sign-in/)) })
    ctx.clock.advance(60_000)
    // Jobs write both entries after the responses.
    const refused = (await auditEntries())
      .filter(({ action }) => action.endsWith('_refused'))
      .toSorted((one, other) => other.action.localeCompare(one.action))
    expect(refused).toMatchObject([
      {
        action: 'account.password_refused',
        at,
        actor: 'unknown',
        subject: merchantId,
        address: '203.0.113.9',
      },
      {
        action: 'account.code_refused',
        at,
        actor: 'unknown',
        subject: body.otpId,
        requestId: 'caller:request-9',
      },
    ])
  })

  test('a forgotten password, attempted and set', async () => {
    await signIn()
    const earlier = (await actions()).length
    const { body } = await post('/password/forgot', { email })
    await runIdentityJobs(ctx)
    const code = codeIn(/reset/)
    const setNew = (otp: string) =>
      post(`/password/setnew/${body.otpId}`, { otp, newPassword: 'another good password' })
    await setNew(wrongCode(code))
    await setNew(code)
    expect((await actions()).slice(earlier).toSorted()).toEqual([
      'account.code_issued',
      'account.code_refused',
      'account.password_reset',
    ])
  })

  test('a refresh token that was used again', async () => {
    const { refreshToken } = await signIn()
    await post('/refresh-token', { refreshToken })
    ctx.clock.advance(31_000)
    await post('/refresh-token', { refreshToken })
    await post('/refresh-token', { refreshToken })
    expect((await actions()).slice(-1)).toEqual(['session.refresh_reused'])
    expect((await actions()).filter((action) => action === 'session.refresh_reused')).toHaveLength(1)
  })

  test('an operator’s sign-out that ends every session and pending code at once', async () => {
    const { authToken, refreshToken } = await signIn()
    await signIn()
    const { body } = await post('/signin', { email, password })
    const pending = codeIn(/sign-in/)
    expect(await endSessions(ctx, operatorActor('rudo', 'root@till'), email)).toBe(2)
    expect((await post('/refresh-token', { refreshToken })).status).toBe(401)
    expect((await post(`/verify-otp/${body.otpId}`, { purpose: 'signin', otp: pending })).status).toBe(410)
    expect((await post('/signout', undefined, { authorization: `Bearer ${authToken}` })).status).toBe(204)
    expect((await auditEntries()).at(-1)).toMatchObject({
      action: 'session.ended_by_operator',
      actor: 'rudo',
      address: 'root@till',
      subject: merchantId,
      details: { sessions: 2 },
    })
    expect(await endSessions(ctx, operatorActor('rudo', 'root@till'), 'nobody@example.com')).toBeNull()
  })

  test('an attempt at an email without an account has no entry', async () => {
    const count = async () =>
      Number((await ctx.db.pool.query('select count(*) from audit_log')).rows[0].count)
    const before = await count()
    await post('/signin', { email: 'nobody@example.com', password: 'a wrong guess' })
    const { body } = await post('/password/forgot', { email: 'nobody@example.com' })
    await post(`/password/setnew/${body.otpId}`, { otp: '000000', newPassword: 'another good password' })
    await runIdentityJobs(ctx)
    expect(await count()).toBe(before)
  })

  test('attempts cause the same work and response with and without an account', async () => {
    const work = async (to: string) => {
      const { body } = await post('/password/forgot', { email: to })
      await runIdentityJobs(ctx)
      const wrong = wrongCode(codeIn(/reset/))
      return statementsOf(ctx, () =>
        post(`/password/setnew/${body.otpId}`, { otp: wrong, newPassword: 'another good password' }),
      )
    }
    const known = await work(email)
    expect(known.length).toBeGreaterThan(3)
    expect(await work('nobody@example.com')).toEqual(known)
  })

  test('entries contain no password, code, token or cookie', async () => {
    const { code, authToken, refreshToken } = await signIn()
    await post('/signin', { email, password: 'a wrong guess' })
    const stored = JSON.stringify(await auditEntries())
    for (const secret of [password, 'a wrong guess', code, authToken, refreshToken, email])
      expect(stored).not.toContain(secret)
  })
})

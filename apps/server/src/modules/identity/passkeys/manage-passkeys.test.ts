import { generateKeyPairSync } from 'node:crypto'
import type { MadePasskey, MakeOptions, Passkey } from '@muripo/contract/passkeys'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  type Authenticator,
  certified,
  createAuthenticator,
  type Oddness,
  selfAttested,
} from '../../../../test/authenticator.ts'
import { identityServer } from '../../../../test/identity-server.ts'
import { readAudit } from '../../../platform/audit/read-audit.ts'
import { type MadeMerchant, makeMerchant, makePasskey, makeSession, runIdentityJobs } from '../factory.ts'
import { pruneIdentity } from '../jobs.ts'

const MINUTE_MS = 60_000
const password = 'correct horse battery'
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

const { ctx, app } = await identityServer()

describe('passkeys of an account', () => {
  const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  let merchant: MadeMerchant
  let token: string
  let authenticator: Authenticator

  beforeEach(async () => {
    merchant = await makeMerchant(ctx, { password })
    token = (await makeSession(ctx, merchant.merchantId)).authToken
    authenticator = createAuthenticator({ origin: 'http://gateway.test' })
  })

  async function call(method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object, as = token) {
    const response = await app.inject({
      method,
      url: `/v1/account/passkeys${path}`,
      headers: { authorization: `Bearer ${as}`, 'user-agent': chrome },
      ...(payload ? { payload } : {}),
    })
    return { status: response.statusCode, body: response.payload ? response.json() : null }
  }
  const start = async (as = token) => (await call('POST', '/start', { password }, as)).body as MakeOptions
  const add = (passkey: MadePasskey, as = token) => call('POST', '', { passkey }, as)
  const enrol = async (odd?: Oddness) => add(authenticator.make(await start(), odd))
  const list = async (as = token): Promise<Passkey[]> => (await call('GET', '', undefined, as)).body.passkeys

  test('are added with the password, and named after the browser', async () => {
    expect(await list()).toEqual([])
    const first = await enrol()
    expect(first).toEqual({
      status: 201,
      body: {
        _id: expect.stringMatching(/^psk_/),
        name: 'Chrome on Windows',
        synced: false,
        createdAt: ctx.clock.now().toISOString(),
        lastUsedAt: null,
      },
    })
    const second = await enrol()
    expect(second.body.name).toBe('Chrome on Windows 2')
    expect(await list()).toEqual([first.body, second.body])
  })

  test('are created for this host, with user verification, without attestation, and once on a device', async () => {
    const { body } = await enrol()
    expect(body).toBeDefined()
    const options = await start()
    expect(options).toMatchObject({
      rp: { id: 'gateway.test', name: 'Muripo' },
      user: { name: merchant.email, displayName: 'Tendai Moyo' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      excludeCredentials: [{ type: 'public-key', transports: ['internal'] }],
    })
    // An authenticator stores the handle for a user and reveals it to its holder, so the handle names no merchant.
    const handle = Buffer.from(options.user.id, 'base64url')
    expect(handle).toHaveLength(16)
    expect(handle.toString()).not.toContain(merchant.email)
  })

  test('need more than a token to begin, and a wrong password counts as one at the sign-in', async () => {
    expect((await call('POST', '/start', {})).status).toBe(422)
    const reason = { code: 'passwordNotCorrect', values: {} }
    for (let n = 0; n < 3; n += 1) {
      const { status, body } = await call('POST', '/start', { password: 'a wrong guess' })
      expect([status, body.errors]).toEqual([
        422,
        [{ field: 'password', message: 'The password is not correct', reason }],
      ])
    }
    expect((await call('POST', '/start', { password })).status).toBe(429)
    const elsewhere = await app.inject({
      method: 'POST',
      url: '/v1/auth/signin',
      payload: { email: merchant.email, password },
    })
    expect(elsewhere.statusCode).toBe(429)
    await runIdentityJobs(ctx)
    const auditEntries = await readAudit(ctx.db.kysely, { about: merchant.merchantId }, 50)
    expect(auditEntries.map(({ action }) => action)).toEqual(Array(3).fill('account.password_refused'))
  })

  const refused = { status: 400, body: { code: 'passkey_refused' } }
  const expired = { status: 410, body: { code: 'passkey_expired' } }

  test.each<[string, Oddness]>([
    ['on a page at another origin', { origin: 'http://evil.test' }],
    ['for another site', { rpId: 'evil.test' }],
    ['in a frame of another site', { crossOrigin: true }],
    ['with nobody there', { userPresent: false }],
    ['without finger, face or PIN', { userVerified: false }],
    ['for a challenge that was made up', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['as one is shown and not made', { type: 'webauthn.get' }],
    ['with a certificate, which may be anybody’s', { attestation: certified }],
    ['with a format that nobody knows', { attestation: () => ({ format: 'other', statement: {} }) }],
    ['with a statement that is none', { attestation: () => ({ format: 'none', statement: { sig: 1 } }) }],
    ['with a statement of another key', { attestation: (signed) => selfAttested(signed, otherKey) }],
  ])('refuses one that was made %s', async (_what, odd) => {
    expect(await enrol(odd)).toMatchObject(refused)
    expect(await list()).toEqual([])
    expect((await enrol()).status).toBe(201)
    await runIdentityJobs(ctx)
    const auditEntries = await readAudit(ctx.db.kysely, { about: merchant.merchantId }, 50)
    expect(auditEntries.map(({ action }) => action).toSorted()).toEqual([
      'account.passkey_added',
      'account.passkey_refused',
    ])
  })

  test('accepts a self-attested one, which some devices create unrequested', async () => {
    expect((await enrol({ attestation: selfAttested })).status).toBe(201)
  })

  test('refuses an invalid passkey', async () => {
    const made = authenticator.make(await start())
    const deep = Buffer.concat([Buffer.alloc(12_000, 0x81), Buffer.from([0])]).toString('base64url')
    for (const odd of [
      { clientDataJSON: 'bnVsbA' },
      { clientDataJSON: 'e30' },
      { attestationObject: 'AA' },
      { attestationObject: deep },
      { id: 'AAAA' },
    ]) {
      await start()
      expect(await add({ ...made, ...odd })).toMatchObject(refused)
    }
    for (const odd of [
      { id: '' },
      { clientDataJSON: 'no+base64url=' },
      { transports: ['telepathy'] },
      { extra: 1 },
    ])
      expect((await add({ ...made, ...odd } as MadePasskey)).status).toBe(422)
    expect(await list()).toEqual([])
  })

  test('use a challenge once, within five minutes, and in their own session', async () => {
    const made = authenticator.make(await start())
    const other = (await makeSession(ctx, merchant.merchantId)).authToken
    expect(await add(made, other)).toMatchObject(expired)
    await start(other)
    expect(await add(made, other)).toMatchObject(refused)
    expect((await add(made)).status).toBe(201)
    expect(await add(made)).toMatchObject(expired)

    const late = authenticator.make(await start())
    ctx.clock.advance(5 * MINUTE_MS)
    expect(await add(late)).toMatchObject(expired)
    expect(await list()).toHaveLength(1)
  })

  test('belong to one account each', async () => {
    const made = await start()
    const { id } = authenticator.make(made)
    expect((await add(authenticator.make(await start(), { credentialId: id }))).status).toBe(201)
    expect(await add(authenticator.make(await start(), { credentialId: id }))).toMatchObject({
      status: 409,
      body: { code: 'passkey_taken' },
    })
    const otherMerchant = await makeMerchant(ctx)
    const theirs = (await makeSession(ctx, otherMerchant.merchantId)).authToken
    const stolen = authenticator.make(await start(theirs), { credentialId: id })
    expect(await add(stolen, theirs)).toMatchObject({ status: 409, body: { code: 'passkey_taken' } })
    expect(await list(theirs)).toEqual([])
  })

  test('are ten at most, also when two are added concurrently', async () => {
    for (let n = 0; n < 9; n += 1) await makePasskey(ctx, merchant.merchantId)
    const second = (await makeSession(ctx, merchant.merchantId)).authToken
    const made = [authenticator.make(await start()), authenticator.make(await start(second))] as const
    const answers = await Promise.all([add(made[0]), add(made[1], second)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect(await call('POST', '/start', { password })).toMatchObject({
      status: 409,
      body: { code: 'passkeys_full' },
    })
    expect(await list()).toHaveLength(10)
  })

  test('are renamed', async () => {
    const { body } = await enrol()
    const renamed = await call('PATCH', `/${body._id}`, { name: '  Office key ' })
    expect(renamed).toEqual({ status: 200, body: { ...body, name: 'Office key' } })
    expect(await list()).toEqual([renamed.body])
    expect((await call('PATCH', `/${body._id}`, { name: ' ' })).body.errors[0]).toEqual({
      field: 'name',
      message: 'Name is required',
    })
    expect((await call('PATCH', `/${body._id}`, { name: 'x'.repeat(61) })).status).toBe(422)
  })

  test('are removed only with the password', async () => {
    const { body } = await enrol()
    expect((await call('POST', `/${body._id}/remove`, { password: 'a wrong guess' })).status).toBe(422)
    expect(await list()).toHaveLength(1)
    expect((await call('POST', `/${body._id}/remove`, { password })).status).toBe(204)
    expect(await list()).toEqual([])
    expect((await call('POST', `/${body._id}/remove`, { password })).status).toBe(404)
  })

  test('are mailed and audited when they are added or removed', async () => {
    const { body } = await enrol()
    await call('PATCH', `/${body._id}`, { name: 'evil.test/click' })
    await call('POST', `/${body._id}/remove`, { password })
    const [added, removed] = ctx.mails.filter(({ to }) => to === merchant.email)
    expect(added?.subject).toBe('A passkey was added to your Muripo account')
    expect(added?.text).toMatch(/Chrome on Windows/)
    expect(removed?.subject).toBe('A passkey was removed from your Muripo account')
    expect(removed?.text).not.toContain('evil.test')
    const auditEntries = await readAudit(ctx.db.kysely, { about: merchant.merchantId }, 50)
    expect(auditEntries.toReversed()).toMatchObject([
      { action: 'account.passkey_added', actor: merchant.merchantId, subject: body._id },
      { action: 'account.passkey_renamed', actor: merchant.merchantId, subject: body._id },
      { action: 'account.passkey_removed', actor: merchant.merchantId, subject: body._id },
    ])
  })

  test('are changed sixty times an hour at most, by all sessions of an account together', async () => {
    const { _id } = (await enrol()).body
    for (let n = 2; n < 60; n += 1) await call('PATCH', `/${_id}`, { name: `Key ${n}` })
    const second = (await makeSession(ctx, merchant.merchantId)).authToken
    expect((await call('POST', `/${_id}/remove`, { password }, second)).status).toBe(429)
    expect((await list())[0]?.name).toBe('Key 59')
    ctx.clock.advance(60 * MINUTE_MS)
    const later = (await makeSession(ctx, merchant.merchantId)).authToken
    expect((await call('POST', `/${_id}/remove`, { password }, later)).status).toBe(204)
  })

  test('leave no unused challenge behind', async () => {
    await start()
    ctx.clock.advance(5 * MINUTE_MS)
    await pruneIdentity(ctx)
    expect(await ctx.db.kysely.selectFrom('passkey_challenges').selectAll().execute()).toEqual([])
  })
})

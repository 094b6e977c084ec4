import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestCtx, testCtx } from '../../../test/test-ctx.ts'
import { makeDevice, makeIdentityApp, makeMerchant } from './factory.ts'
import { publicIdentityRoutes, signOutRoutes } from './routes.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const calls: [path: string, quota: number, windowSeconds: number, policy: string][] = [
  ['/auth/signup', 5, HOUR, '"sign-up";q=5;w=3600'],
  ['/files/upload', 5, HOUR, '"upload";q=5;w=3600, "upload-day";q=20;w=86400'],
  ['/auth/signin', 20, MINUTE, '"sign-in";q=20;w=60'],
  ['/auth/verify-otp/otp_x', 20, MINUTE, '"verify-code";q=20;w=60'],
  ['/auth/passkey/ask/otp_x', 20, MINUTE, '"ask-for-passkey";q=20;w=60'],
  ['/auth/passkey/verify/otp_x', 20, MINUTE, '"verify-passkey";q=20;w=60'],
  ['/auth/resend-otp/otp_x', 20, MINUTE, '"resend-code";q=20;w=60'],
  ['/auth/password/forgot', 10, HOUR, '"forgot-password";q=10;w=3600'],
  ['/auth/password/setnew/otp_x', 20, MINUTE, '"set-password";q=20;w=60'],
  ['/auth/password/reset', 20, MINUTE, '"set-password";q=20;w=60'],
  ['/auth/refresh-token', 120, MINUTE, '"refresh";q=120;w=60'],
  ['/auth/signout', 60, MINUTE, '"sign-out";q=60;w=60'],
]

describe('the calls of one address', () => {
  let dataDir: string
  let ctx: TestCtx
  let app: FastifyInstance
  let cookie: string

  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'muripo-limits-'))
    ctx = await testCtx({ RATE_LIMITS: '1', MURIPO_DATA: dataDir })
    app = await makeIdentityApp(ctx)
    const { merchantId } = await makeMerchant(ctx)
    cookie = `muripo-device=${(await makeDevice(ctx, merchantId)).token}`
  })
  afterAll(async () => {
    await app.close()
    await ctx.close()
    await rm(dataDir, { recursive: true })
  })
  beforeEach(() => ctx.clock.advance(2 * DAY * 1000))

  interface From {
    readonly address?: string
    readonly app?: FastifyInstance
    readonly headers?: Readonly<Record<string, string>>
  }
  async function call(at: string, { address = '203.0.113.1', app: where = app, headers = {} }: From = {}) {
    const response = await where.inject({
      method: 'POST',
      url: `/v1${at}`,
      remoteAddress: address,
      headers: { ...headers, 'content-type': 'application/json' },
      // Not read before the limit is, and wrong after it.
      payload: '{',
    })
    return { status: response.statusCode, headers: response.headers, body: response.json() }
  }

  test('every route without a session has a limit', async () => {
    const bindings = [...publicIdentityRoutes(ctx), ...signOutRoutes(ctx)]
    expect(bindings.filter(({ admit }) => admit === undefined)).toEqual([])
    // The upload is mounted beside these; the config is read by GET and so is not among the calls here.
    expect(bindings.filter(({ spec }) => spec.method === 'POST')).toHaveLength(calls.length - 1)
    expect((await app.inject('/v1/config')).headers['ratelimit-policy']).toBe('"config";q=600;w=60')
  })

  test.each(calls)('%s: %i in %i seconds', async (at, quota, windowSeconds, policy) => {
    for (let n = 1; n <= quota; n += 1) {
      const { status, headers } = await call(at)
      expect(status).not.toBe(429)
      expect(headers['ratelimit-policy']).toBe(policy)
      expect(headers.ratelimit).toMatch(new RegExp(`^"[a-z-]+";r=${quota - n};t=${windowSeconds}(,|$)`))
    }
    const { status, headers, body } = await call(at)
    expect(status).toBe(429)
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(headers['retry-after']).toBe(String(windowSeconds))
    expect(headers['ratelimit-policy']).toBe(policy)
    expect(headers.ratelimit).toContain(';r=0;')
    expect(body).toMatchObject({ status: 429, code: 'rate_limited' })
    expect((await call(at, { address: '203.0.113.2' })).status).not.toBe(429)
    ctx.clock.advance(windowSeconds * 1000)
    expect((await call(at)).status).not.toBe(429)
  })

  test('an upload has a limit for the day as well', async () => {
    let letIn = 0
    for (let hour = 0; hour < 12; hour += 1) {
      for (let n = 0; n < 5; n += 1) if ((await call('/files/upload')).status !== 429) letIn += 1
      ctx.clock.advance(HOUR * 1000)
    }
    expect(letIn).toBe(20)
    const { status, headers } = await call('/files/upload')
    expect([status, headers['retry-after']]).toEqual([429, String(12 * HOUR)])
  })

  test('a whole IPv6 network is one address', async () => {
    for (let n = 0; n < 5; n += 1) await call('/auth/signup', { address: `2001:db8:1:2::${n}` })
    expect((await call('/auth/signup', { address: '2001:db8:1:2:ffff::1' })).status).toBe(429)
    expect((await call('/auth/signup', { address: '2001:db8:1:3::1' })).status).not.toBe(429)
  })

  test('an IPv6 /56 has four times the quota of a /64, and a /48 sixteen times', async () => {
    const letIn = async (networks: number, addressOf: (network: string) => string) => {
      let count = 0
      for (let network = 1; network <= networks; network += 1) {
        const address = addressOf(network.toString(16))
        for (let n = 0; n < 6; n += 1)
          if ((await call('/auth/signup', { address: `${address}::${n}` })).status !== 429) count += 1
      }
      return count
    }
    expect(await letIn(8, (network) => `2001:db8:1:${network}`)).toBe(4 * 5)
    const { headers } = await call('/auth/signup', { address: '2001:db8:1:ff::1' })
    expect(headers['ratelimit-policy']).toBe('"sign-up";q=5;w=3600, "sign-up-56";q=20;w=3600')
    expect(await letIn(20, (network) => `2001:db8:2:${network}00`)).toBe(16 * 5)
    expect(await letIn(1, () => '2001:db8:3:0')).toBe(5)
  })

  test.each(['/auth/signup', '/files/upload'])(
    'an IPv4 /24 has ten times the quota of an address at %s',
    async (at) => {
      let letIn = 0
      for (let host = 1; host <= 12; host += 1) {
        for (let n = 0; n < 5; n += 1)
          if ((await call(at, { address: `198.51.100.${host}` })).status !== 429) letIn += 1
      }
      expect(letIn).toBe(50)
      expect((await call(at, { address: '198.51.101.1' })).status).not.toBe(429)
    },
  )

  test('a refused call uses no quota of a wider network or a longer window', async () => {
    for (let n = 0; n < 60; n += 1) await call('/auth/signup', { address: '2001:db8:1:1::1' })
    expect((await call('/auth/signup', { address: '2001:db8:1:2::1' })).status).not.toBe(429)
    for (let n = 0; n < 30; n += 1) await call('/files/upload')
    ctx.clock.advance(HOUR * 1000)
    expect((await call('/files/upload')).status).not.toBe(429)
  })

  test('a recognised device has its own quota once other callers have used up its address', async () => {
    const at = '/auth/signin'
    for (let n = 0; n < 21; n += 1) await call(at)
    for (let n = 0; n < 20; n += 1) expect((await call(at, { headers: { cookie } })).status).not.toBe(429)
    expect((await call(at, { headers: { cookie } })).status).toBe(429)
    const made = `muripo-device=${'A'.repeat(43)}`
    expect((await call(at, { headers: { cookie: made } })).status).toBe(429)
  })

  test.each(['/auth/signup', '/files/upload'])('a known device adds no quota at %s', async (at) => {
    for (let n = 0; n < 5; n += 1) expect((await call(at, { headers: { cookie } })).status).not.toBe(429)
    expect((await call(at, { headers: { cookie } })).status).toBe(429)
  })

  test.each([
    ['a port', (n: number) => `198.51.100.7:${50_000 + n}`],
    ['brackets and a port', (n: number) => `[2001:db8::9]:${50_000 + n}`],
    ['a zone', (n: number) => `fe80::1%eth${n}`],
    ['rubbish', (n: number) => `garbage <b>${n}</b>`],
  ])('a proxy that writes %s into an address does not change the subject', async (_what, forwarded) => {
    const behind = await makeIdentityApp({ ...ctx, config: { ...ctx.config, trustedProxies: 1 } })
    for (let n = 0; n < 5; n += 1)
      await call('/auth/signup', { app: behind, headers: { 'x-forwarded-for': forwarded(n) } })
    const sixth = await call('/auth/signup', { app: behind, headers: { 'x-forwarded-for': forwarded(9) } })
    expect(sixth.status).toBe(429)
    await behind.close()
  })

  test('no header changes the address of a caller, unless a trusted proxy wrote it', async () => {
    const forged = (n: number) => ({
      'x-forwarded-for': `198.51.100.${n}`,
      'x-real-ip': `198.51.100.${n}`,
      forwarded: `for=198.51.100.${n}`,
    })
    for (let n = 0; n < 5; n += 1) await call('/auth/signup', { headers: forged(n) })
    expect((await call('/auth/signup', { headers: forged(9) })).status).toBe(429)

    const behind = await makeIdentityApp({
      ...ctx,
      config: { ...ctx.config, trustedProxies: ['203.0.113.1'] },
    })
    for (let n = 0; n < 9; n += 1)
      expect((await call('/auth/signup', { headers: forged(n), app: behind })).status).not.toBe(429)
    await behind.close()
  })

  test('RATE_LIMITS multiplies every quota', async () => {
    const loose = await makeIdentityApp({ ...ctx, config: { ...ctx.config, rateLimitFactor: 3 } })
    const answers = []
    for (let n = 0; n < 16; n += 1) answers.push((await call('/auth/signup', { app: loose })).status === 429)
    expect(answers).toEqual([...Array(15).fill(false), true])
    await loose.close()
  })

  test('two processes count as one', async () => {
    const other = await makeIdentityApp(ctx)
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, n) => call('/auth/signin', n % 2 === 0 ? {} : { app: other })),
    )
    expect(answers.filter(({ status }) => status !== 429)).toHaveLength(20)
    await other.close()
  })
})

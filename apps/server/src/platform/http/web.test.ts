import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { productionEnv } from '../../../test/production-env.ts'
import { tinyWeb } from '../../../test/tiny-web.ts'
import { checkoutPages, type PageActions } from '../../modules/checkout/index.ts'
import { systemClock } from '../clock.ts'
import { type Config, parseConfig } from '../config.ts'
import { createLog } from '../log.ts'
import { createHttp } from './server.ts'
import { mountWeb } from './web.ts'

describe("a page's form", () => {
  let app: FastifyInstance | undefined
  afterEach(() => app?.close())

  async function post(
    env: Record<string, string>,
    headers: Record<string, string>,
    change: Partial<Config> = {},
  ) {
    const web = await tinyWeb()
    const config = { ...parseConfig(env), ...change }
    const log = createLog('silent')
    app = createHttp(config, log)
    const checkout = { submit: async () => null } as unknown as PageActions
    const ctx = { config, clock: systemClock, log }
    await mountWeb(app, ctx, web.dir, checkoutPages(ctx, checkout))
    const response = await app.inject({
      method: 'POST',
      url: '/pay/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: 'method=ecocash',
      remoteAddress: '10.0.0.1',
    })
    await web.remove()
    return response
  }
  // A form of another site is refused before this response.
  const accepted = 303
  const refused = 400

  const host = 'localhost:3000'
  const forwarded = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
  test.each([
    ['our own origin', { host, origin: 'http://localhost:3000' }, accepted],
    ['no origin, as from a program', { host }, accepted],
    ['another site', { host, origin: 'https://evil.example' }, refused],
    ['another port', { host, origin: 'http://localhost:3001' }, refused],
    ['a page without an origin', { host, origin: 'null' }, refused],
    [
      'another site that names itself as the proxied host',
      { host, origin: 'https://evil.example', ...forwarded },
      refused,
    ],
  ])('of %s', async (_what, headers, status) => {
    expect((await post({}, headers)).statusCode).toBe(status)
  })

  test('may be posted to the host that a trusted proxy names', async () => {
    const headers = { host, origin: 'https://evil.example', ...forwarded }
    expect((await post({}, headers, { trustedProxies: ['10.0.0.0/8'] })).statusCode).toBe(accepted)
  })

  test.each([
    [
      'behind a proxy that speaks http to us',
      { host: '10.0.0.2:3000', origin: 'https://pay.example' },
      accepted,
    ],
    [
      'whatever host a proxy names',
      { host: '10.0.0.2', origin: 'https://evil.example', ...forwarded },
      refused,
    ],
    ['from the address of this process itself', { host: '10.0.0.2', origin: 'http://10.0.0.2' }, refused],
  ])('in production is valid under the public address alone: %s', async (_what, headers, status) => {
    const env = { ...productionEnv, TRUSTED_PROXIES: '10.0.0.0/8' }
    expect((await post(env, headers)).statusCode).toBe(status)
  })

  test('stores the chosen method in a cookie that no script reads and no other site sends', async () => {
    const stored = 'payer_method=ecocash; Max-Age=31536000; Path=/pay; HttpOnly'
    expect((await post({}, { host })).headers['set-cookie']).toBe(`${stored}; SameSite=Lax`)
    const live = await post(productionEnv, { host: 'pay.example' })
    expect(live.headers['set-cookie']).toBe(`${stored}; Secure; SameSite=Lax`)
  })
})

describe('the pages', () => {
  const clock = { now: () => new Date('2026-11-20T09:30:00Z') }
  const env = { RATE_LIMITS: '1' }
  const shown: string[] = []
  let app: FastifyInstance
  let web: Awaited<ReturnType<typeof tinyWeb>>
  /** The status of the next response for the API document. */
  let documentStatus = 200

  beforeEach(async () => {
    shown.length = 0
    web = await tinyWeb()
    const config = parseConfig(env)
    const log = createLog('silent')
    app = createHttp(config, log)
    app.get('/api/v1/openapi.json', (_request, reply) =>
      reply.code(documentStatus).send({ status: documentStatus }),
    )
    const checkout: PageActions = {
      view: async (token) => {
        shown.push(token)
        return null
      },
      submit: async () => null,
      resume: async () => 'unknown',
      cardPage: async () => null,
      proceed: async () => undefined,
    }
    const ctx = { config, clock, log }
    await mountWeb(app, ctx, web.dir, checkoutPages(ctx, checkout))
  })
  afterEach(async () => {
    await app.close()
    await web.remove()
  })

  const repeat = async (times: number, call: () => Promise<unknown>) => {
    for (let left = times; left > 0; left -= 50)
      await Promise.all(Array.from({ length: Math.min(left, 50) }, call))
  }

  test('are limited for each address, except for the page of one payment and its data', async () => {
    await repeat(1200, () => app.inject({ method: 'HEAD', url: '/pay/a/b' }))
    for (const url of ['/pay/a/b', '/pay/', '/pay/..', '/pay/%2e%2e', '/pay/.data', '/'])
      expect([url, (await app.inject(url)).statusCode]).toEqual([url, 429])
    expect((await app.inject('/pay/token?again=1')).statusCode).toBe(200)
    expect((await app.inject('/pay/token.data')).statusCode).not.toBe(429)
    expect(shown).toContain('token')
  })

  test.each(['/v1', '/v1/', '/v1?a=1', '/api', '/api/v1', '/callbacks', '/v1/nothing'])(
    'are no answer to a program that calls %s',
    async (url) => {
      const answer = await app.inject(url)
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([
        404,
        'application/problem+json; charset=utf-8',
      ])
    },
  )

  test('show the API document again after a request for it failed', async () => {
    documentStatus = 503
    expect((await app.inject('/document')).statusCode).toBe(500)
    documentStatus = 200
    expect((await app.inject('/document')).json()).toEqual({ status: 200 })
    documentStatus = 503
    expect((await app.inject('/document')).json()).toEqual({ status: 200 })
  })

  test("answer a payer's form beyond the limit with a page that shows the wait", async () => {
    const submit = () =>
      app.inject({ method: 'POST', url: '/pay/token', payload: 'method=ecocash', headers: form })
    await repeat(3000, submit)
    const refused = await submit()
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['content-type']).toMatch(/^text\/html/)
  })
})

const form = { 'content-type': 'application/x-www-form-urlencoded' }

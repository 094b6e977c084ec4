import { type AddressInfo, connect } from 'node:net'
import type { CheckoutView } from '@muripo/contract/checkout'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { productionEnv } from '../../../test/production-env.ts'
import { tinyWeb } from '../../../test/tiny-web.ts'
import { checkoutPages, type PageActions } from '../../modules/checkout/index.ts'
import { lastMethodIn } from '../../modules/checkout/routes.ts'
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
    const checkout = { submit: async () => null, recognises: () => true } as unknown as PageActions
    const ctx = { config, clock: systemClock, log }
    await mountWeb(
      app,
      ctx,
      web.dir,
      checkoutPages(ctx, () => checkout),
      async () => null,
    )
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

  test.each([
    ['https://abcd.tunnel.example', 'abcd.tunnel.example', accepted],
    ['http://localhost:3000', 'localhost:3000', accepted],
    ['https://evil.example', 'abcd.tunnel.example', refused],
    ['https://evil.example', 'evil.example', refused],
  ])('of %s is posted to %s behind the tunnel of a gateway in development', async (origin, to, status) => {
    const env = { MURIPO_TUNNEL: 'https://abcd.tunnel.example' }
    expect((await post(env, { host: to, origin })).statusCode).toBe(status)
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

  test.each([
    ['payer_method=innbucks', 'innbucks'],
    ['a=b; payer_method=ecocash; c=d', 'ecocash'],
    ['other_payer_method=ecocash', undefined],
    ['payer_method=<b>', undefined],
    [undefined, undefined],
  ])('is suggested the last method in the cookies %s', (cookies, method) => {
    expect(lastMethodIn(cookies)).toBe(method)
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
        if (token === 'broken') throw new Error('no such column')
        return { locale: null } as CheckoutView
      },
      submit: async () => null,
      recognises: (token) => token !== 'forged',
      refuseView: (token) => (token === 'forged' ? 'unknown' : token === 'busy' ? { waitSeconds: 7 } : null),
      resume: async () => 'unknown',
      cardPage: async () => null,
      choose: async () => {},
      simulated: async () => null,
      proceed: async () => undefined,
    }
    const ctx = { config, clock, log }
    await mountWeb(
      app,
      ctx,
      web.dir,
      checkoutPages(ctx, () => checkout),
      async () => null,
    )
  })
  afterEach(async () => {
    await app.close()
    await web.remove()
  })

  const repeat = async (times: number, call: () => Promise<unknown>) => {
    for (let left = times; left > 0; left -= 50)
      await Promise.all(Array.from({ length: Math.min(left, 50) }, call))
  }

  test('are limited for each address, except for the pages of one payment', async () => {
    await repeat(1200, () => app.inject({ method: 'HEAD', url: '/pay/a/b' }))
    for (const url of ['/pay/a/b', '/pay/', '/pay', '/pay/.data/x', '/'])
      expect([url, (await app.inject(url)).statusCode]).toEqual([url, 429])
    expect((await app.inject('/pay/token?again=1')).statusCode).toBe(200)
    expect((await app.inject('/pay/token/receipt/')).statusCode).toBe(200)
    expect(shown).toEqual(['token', 'token'])
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

  test.each([
    ['no host', 'GET /pay/token HTTP/1.0\r\n\r\n', 200],
    ['an unreadable host', 'GET / HTTP/1.1\r\nhost: 127.0.0.1:99999\r\nconnection: close\r\n\r\n', 400],
    ['an empty host', 'GET /pay/token HTTP/1.1\r\nhost:\r\nconnection: close\r\n\r\n', 200],
  ])('for %s are no error of the server', async (_what, bytes, status) => {
    await app.listen({ port: 0, host: '127.0.0.1' })
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    socket.setEncoding('utf8').write(bytes)
    expect((await socket.toArray()).join('')).toContain(` ${status} `)
  })

  test('show the API document again after a request for it failed', async () => {
    documentStatus = 503
    expect((await app.inject('/document')).statusCode).toBe(500)
    documentStatus = 200
    expect((await app.inject('/document')).json()).toEqual({ status: 200 })
    documentStatus = 503
    expect((await app.inject('/document')).json()).toEqual({ status: 200 })
  })

  test('of an unknown payment and of a busy address are rendered once in a language, with a nonce of each response', async () => {
    const pages = await Promise.all(
      ['sn', 'sn', 'en', 'sn'].map((language) =>
        app.inject({ url: '/pay/forged', headers: { 'accept-language': language } }),
      ),
    )
    expect(pages.map(({ statusCode, body }) => [statusCode, body.match(/trouble \d+/)?.[0]])).toEqual([
      [404, 'trouble 1'],
      [404, 'trouble 1'],
      [404, 'trouble 2'],
      [404, 'trouble 1'],
    ])
    for (const { body, headers } of pages) {
      const [, nonce = 'none'] = /'nonce-([^']+)'/.exec(String(headers['content-security-policy'])) ?? []
      expect(body).toContain(`<script nonce="${nonce}">`)
    }
    expect(new Set(pages.map(({ body }) => body)).size).toBe(4)
    const busy = await Promise.all([1, 2].map(() => app.inject('/pay/busy')))
    expect(
      busy.map(({ statusCode, headers }) => [statusCode, headers['retry-after'], headers.refresh]),
    ).toEqual([
      [429, '7', '7'],
      [429, '7', '7'],
    ])
    const form = {
      method: 'POST',
      url: '/pay/forged',
      payload: 'method=ecocash',
      headers: formHeaders,
    } as const
    expect((await app.inject(form)).statusCode).toBe(404)
    expect(shown).toEqual([])
  })

  test('that are constant are rendered once for all their addresses, queries and cookies', async () => {
    const renders = async (...urls: string[]) =>
      new Set(
        (await Promise.all(urls.map((url) => app.inject({ url, headers: { cookie: `a=${url}` } })))).map(
          ({ body }) => body.match(/render \d+/)?.[0],
        ),
      )
    expect(await renders('/constant', '/constant/', '/constant?a=1', '/constant')).toHaveProperty('size', 1)
    expect(await renders('/constant?lang=sn', '/constant?lang=sn&a')).toHaveProperty('size', 1)
    expect(await renders('/nothing', '/nowhere/at/all', '/x?y=z')).toHaveProperty('size', 1)
    expect(await renders('/constant/1', '/constant/2')).toHaveProperty('size', 2)
    expect(await renders('/constant/changing', '/constant/changing')).toHaveProperty('size', 2)
    const head = await app.inject({ method: 'HEAD', url: '/constant' })
    expect([head.statusCode, head.body]).toEqual([200, ''])
    expect(head.headers['content-security-policy']).toContain('nonce-')
  })

  test('of a payment that cannot be read are an error page, and its log has the cause', async () => {
    const broken = await app.inject('/pay/broken')
    expect([broken.statusCode, broken.headers['content-type']]).toEqual([500, 'text/html; charset=utf-8'])
    const head = await app.inject({ method: 'HEAD', url: '/pay/token' })
    expect([head.statusCode, head.body]).toEqual([200, ''])
  })

  test("answer a payer's form beyond the limit with a page that shows the wait", async () => {
    const submit = () =>
      app.inject({ method: 'POST', url: '/pay/token', payload: 'method=ecocash', headers: formHeaders })
    await repeat(3000, submit)
    const refused = await submit()
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['content-type']).toMatch(/^text\/html/)
  })
})

const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' }

import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeAppWithPages } from '../../../test/app.ts'
import { productionEnv } from '../../../test/production-env.ts'
import { tinyPage, tinyScript } from '../../../test/tiny-web.ts'
import { makeWorld, type World } from '../../../test/world.ts'

const pages: [string, string, number][] = [
  ['a page', '/', 200],
  ['a page of a payer', '/pay/token', 404],
  ['a page that is not there', '/nowhere', 404],
]
const others: [string, string, number][] = [
  ['a script', '/assets/app-1a2b.js', 200],
  ['an icon', '/icon.svg', 200],
  ['an API answer', '/v1/config', 200],
  ['the status', '/v1/status', 200],
  ['a problem', '/v1/nothing', 404],
  ['a refusal', '/v1/stats/dashboard', 401],
  ['a refusal of the public surface', '/api/v1/payments', 401],
  ['the OpenAPI document', '/api/v1/openapi.json', 200],
  ['a health check', '/healthz', 200],
]
const kinds = [...pages, ...others]

describe.each([
  ['development', {}],
  ['production', productionEnv],
])('in %s,', (mode, env) => {
  let world: World
  let app: FastifyInstance

  beforeAll(async () => {
    world = await makeWorld(env)
    app = await makeAppWithPages(world.ctx)
  })
  afterAll(async () => {
    await app.close()
    await world.ctx.close()
  })

  const get = (url: string, acceptEncoding = 'gzip, deflate, br', method: 'GET' | 'HEAD' = 'GET') =>
    app.inject({ method, url, headers: { 'accept-encoding': acceptEncoding } })
  const policyOf = (headers: Record<string, unknown>): Map<string, string> =>
    new Map(
      String(headers['content-security-policy'])
        .split(';')
        .map((rule) => rule.trim().split(/ (.*)/))
        .map(([name = '', value = '']) => [name, value]),
    )

  test.each(kinds)('%s cannot be framed, sniffed or given a sensor', async (_what, url, status) => {
    const { statusCode, headers } = await get(url)
    expect(statusCode).toBe(status)
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': expect.stringMatching(/camera=\(\), .*geolocation=\(\), .*microphone=\(\)/),
      'x-request-id': expect.any(String),
    })
    expect(headers).not.toHaveProperty('x-powered-by')
    expect(headers).not.toHaveProperty('server')
    const policy = policyOf(headers)
    expect(policy.get('default-src')).toBe("'none'")
    expect(policy.get('frame-ancestors')).toBe("'none'")
    expect(headers['referrer-policy']).toMatch(/^(no-referrer|same-origin)$/)
  })

  test.each(kinds)('%s is bound to TLS in production only', async (_what, url) => {
    const { headers } = await get(url)
    expect(headers['strict-transport-security']).toBe(
      mode === 'production' ? 'max-age=31536000; includeSubDomains' : undefined,
    )
  })

  test.each(pages)('%s runs its own scripts and no other', async (_what, url) => {
    const policy = policyOf((await get(url)).headers)
    const scripts = policy.get('script-src')?.split(' ') ?? []
    expect(scripts[0]).toBe("'self'")
    expect(scripts[1]).toMatch(/^'nonce-[A-Za-z0-9+/]{22}=='$/)
    expect(scripts).toHaveLength(2)
    expect([...policy.values()].join(' ')).not.toMatch(/unsafe-eval|\*|https?:/)
    expect(policy.get('connect-src')).toBe("'self'")
    expect(policy.get('base-uri')).toBe("'none'")
    expect(policy.get('form-action')).toBe("'self'")
    expect(policy.has('object-src')).toBe(false)
  })

  test('a page has a nonce of its own each time', async () => {
    const scripts = async () => policyOf((await get('/')).headers).get('script-src')
    expect(await scripts()).not.toBe(await scripts())
  })

  test.each(others)('%s may load nothing and lead nowhere', async (_what, url) => {
    expect(Object.fromEntries(policyOf((await get(url)).headers))).toEqual({
      'default-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
    })
  })

  test.each(pages)('%s is sent compressed to a client that accepts it', async (_what, url) => {
    const br = await get(url)
    expect(br.headers['content-encoding']).toBe('br')
    expect(br.headers.vary).toMatch(/accept-encoding/i)
    expect(brotliDecompressSync(br.rawPayload).toString()).toContain(tinyPage)
    const plain = await get(url, 'identity')
    expect(plain.headers).not.toHaveProperty('content-encoding')
    expect(plain.payload).toContain(tinyPage)
  })

  test.each(pages)('%s is requested again each time', async (_what, url) => {
    expect((await get(url)).headers['cache-control']).toMatch(/^no-(cache|store)$/)
  })

  test.each(pages)('%s is stored for one language only', async (_what, url) => {
    const vary = String((await get(url)).headers.vary).split(', ')
    expect(vary).toEqual(expect.arrayContaining(['accept-language', 'cookie', 'accept-encoding']))
  })

  test('a page is also sent in gzip', async () => {
    const { headers, rawPayload } = await get('/', 'gzip')
    expect(headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(rawPayload).toString()).toContain(tinyPage)
  })

  test('a script is sent as the build compressed it, for a year', async () => {
    const { headers, rawPayload } = await get('/assets/app-1a2b.js')
    expect(headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': expect.stringMatching(/^(text|application)\/javascript/),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: expect.stringMatching(/accept-encoding/i),
    })
    expect(brotliDecompressSync(rawPayload).toString()).toBe(tinyScript)
    const zipped = await get('/assets/app-1a2b.js', 'gzip')
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(tinyScript)
    expect((await get('/assets/app-1a2b.js', 'identity')).payload).toBe(tinyScript)
  })

  test('the compressed copy of a script has no address of its own', async () => {
    expect((await get('/assets/app-1a2b.js.br')).statusCode).toBe(404)
  })

  test.each(others.filter(([, url]) => /^\/(v1|api)\//.test(url)))(
    '%s is never compressed, so that its length reveals no secret',
    async (_what, url) => {
      expect((await get(url)).headers).not.toHaveProperty('content-encoding')
    },
  )

  test.each(pages)('HEAD of %s is its GET without the body', async (_what, url, status) => {
    const head = await get(url, 'identity', 'HEAD')
    const whole = await get(url, 'identity')
    expect(head.statusCode).toBe(status)
    expect(head.payload).toBe('')
    const stable = (headers: Record<string, unknown>) =>
      Object.entries(headers)
        .filter(
          ([name]) =>
            ![
              'date',
              'x-request-id',
              'content-length',
              'transfer-encoding',
              'connection',
              'vary',
              'ratelimit',
            ].includes(name),
        )
        .map(([name, value]) => [name, String(value).replace(/nonce-[^']+/, 'nonce')])
        .sort()
    expect(stable(head.headers)).toEqual(stable(whole.headers))
  })
})

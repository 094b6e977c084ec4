import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect } from 'vitest'
import { makePayment } from '../src/modules/payments/factory.ts'
import { anyone, bind, mount } from '../src/platform/http/route.ts'
import { createHttp } from '../src/platform/http/server.ts'
import { createLog } from '../src/platform/log.ts'
import { makeAppWithPages } from './app.ts'
import { test as base } from './fixtures.ts'
import { withRoutes } from './mounted-routes.ts'

const TEN_MINUTES_MS = 600_000

/** Calls without a session and without a limit, and the reason. */
const unlimited = new Map([
  ['/healthz', 'a constant; what watches the process must not be refused'],
  ['/readyz', 'so many at once take one look at the database; what watches the process must not be refused'],
  ...['/v1', '/v1/*', '/api', '/api/*', '/callbacks', '/callbacks/*', '/console/api', '/console/api/*'].map(
    (url) => [url, 'a constant answer, before a body is read'] as const,
  ),
  ['/pay/:token', 'a constant page for a token that belongs to no payment; a payment has a limit of its own'],
  ['/pay/:token/receipt', 'as /pay/:token'],
  ['/dev/phone', 'development only, for callers on this machine'],
  ['/dev/codes', 'development only, for callers on this machine'],
  ['/assets/app-1a2b.js', 'a file of the build'],
  ['/icon.svg', 'a file of the build'],
  ['POST /*', 'a constant answer, before a body is read'],
])

/** `anonymousCall` has no session and an invalid body. */
const test = base
  .extend('env', { scope: 'file' }, { RATE_LIMITS: '1' })
  .extend('mounted', { scope: 'file' }, async ({ world }, { onCleanup }) => {
    const mounted = await withRoutes(() => makeAppWithPages(world.ctx))
    onCleanup(() => mounted.app.close())
    return mounted
  })
  .extend(
    'anonymousCall',
    ({ app }) =>
      (method: string, url: string, remoteAddress = '203.0.113.1') =>
        app.inject({
          method: method as 'POST',
          url,
          remoteAddress,
          ...(method === 'GET' ? {} : { headers: { 'content-type': 'application/json' }, payload: '{' }),
        }),
  )

test.beforeEach(({ world }) => world.ctx.clock.advance(TEN_MINUTES_MS))

test('every mounted call is refused without a session or a key, or counts the caller’s address before the body', async ({
  routes,
  anonymousCall,
}) => {
  const open: string[] = []
  for (const { method, url } of routes) {
    const { statusCode, headers } = await anonymousCall(
      method,
      url.replace(/:\w+/g, 'x').replace('*', 'nowhere'),
    )
    const isHidden = url.startsWith('/console/api/') && !url.endsWith('*') && statusCode === 404
    const isRefused = (statusCode === 401 || isHidden) && headers['ratelimit-policy'] === undefined
    if (!isRefused && headers['ratelimit-policy'] === undefined)
      open.push(unlimited.has(url) ? url : `${method} ${url}`)
  }
  expect([...new Set(open)].toSorted()).toEqual([...unlimited.keys()].toSorted())
})

test('a call without authentication cannot be mounted without a limit', ({ world }) => {
  const spec = { method: 'GET', path: '/new', access: 'anyone', summary: '', reply: {}, errors: [] } as const
  const mountIt = () =>
    mount(createHttp(world.ctx.config, createLog('silent')), '/v1', anyone, [
      bind(spec, async () => null as never),
    ])
  expect(mountIt).toThrow('GET /new needs no session, and has no limit')
})

/** The number of admitted calls among these, sent twenty at a time. */
async function letIn(calls: number, call: (n: number) => Promise<{ statusCode: number }>): Promise<number> {
  let count = 0
  for (let n = 0; n < calls; n += 20) {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, place) => call(n + place)))
    count += answers.filter(({ statusCode }) => statusCode !== 429).length
  }
  return count
}

describe('one address', () => {
  test.for([
    ['GET', '/v1/status', 300],
    ['GET', '/v1/config', 600],
    ['GET', '/api/v1/openapi.json', 300],
    ['GET', '/', 1200],
  ] as const)('%s %s: %i a minute', async ([method, url, quota], { anonymousCall }) => {
    expect(await letIn(quota + 40, () => anonymousCall(method, url))).toBe(quota)
    expect((await anonymousCall(method, url, '203.0.113.2')).statusCode).not.toBe(429)
    const { headers, payload } = await anonymousCall(method, url)
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(JSON.parse(payload).code).toBe('rate_limited')
  })

  test('of a mobile network: a thousand payers send a form three times each, and a program that sends 10,000 is stopped', async ({
    world,
    app,
    shop,
  }) => {
    const payers = 1000
    const form = (token: string, n: number) =>
      app.inject({
        method: 'POST',
        url: `/pay/${token}`,
        remoteAddress: '203.0.113.1',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: `intent=cancel&n=${n}`,
      })
    const payment = await makePayment(world.ctx, shop.owner)
    const token = world.ctx.checkoutLinks.tokenOf(payment.accountId, payment.id)
    expect((await form(token, 0)).statusCode).toBe(303)
    expect(await letIn(3 * payers - 20, (n) => form('no-payment', n))).toBe(3 * payers - 20)
    expect(await letIn(1000, (n) => form('no-payment', n))).toBe(19)
  })
})

test('a call without a quota left is refused before its body is read', async ({ app, anonymousCall }) => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  for (const [path, quota] of [
    ['/v1/contact', 30],
    ['/v1/auth/signin', 20],
    ['/pay/token', 3000],
  ] as const) {
    await letIn(quota, () => anonymousCall('POST', path, '127.0.0.1'))
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: h\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n`,
    )
    const [answer] = (await once(socket, 'data')) as [string]
    expect(answer).toMatch(/^HTTP\/1\.1 429 /)
    socket.destroy()
  }
})

test('a form that is sent to a page without one is answered 405, and nothing is logged', async ({
  world,
  anonymousCall,
}) => {
  for (const url of ['/', '/app', '/nowhere', '/pay', '/pay/token/more']) {
    const { statusCode, headers, payload } = await anonymousCall('POST', url)
    expect([url, statusCode, headers.allow]).toEqual([url, 405, 'GET, HEAD'])
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(JSON.parse(payload).code).toBe('method_not_allowed')
  }
  expect(world.errors).toEqual([])
})

test('the API document is built once', async ({ app }) => {
  const [first, second] = [await app.inject('/api/v1/openapi.json'), await app.inject('/api/v1/openapi.json')]
  expect(first.payload).toBe(second.payload)
  expect(first.headers['cache-control']).toBe('public, max-age=300')
})

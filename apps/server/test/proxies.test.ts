import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:tls'
import { certificateFor } from '@muripo/testing/certificate'
import { pdf } from '@muripo/testing/pdf'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildApp } from '../src/app.ts'
import { KeyCache } from '../src/modules/applications/index.ts'
import { makeMerchant, makeSession } from '../src/modules/identity/factory.ts'
import { createLive, type Live } from '../src/modules/live/index.ts'
import { oneDatabase } from '../src/platform/db/databases.ts'
import { channels } from '../src/platform/db/locks-and-channels.ts'
import { overloaded, toProblem } from '../src/platform/errors.ts'
import { uuidOf } from '../src/platform/ids.ts'
import { createHeartbeat } from '../src/platform/jobs/heartbeat.ts'
import { anyTargets } from '../src/platform/outbound/targets.ts'
import { withProviders } from './app.ts'
import { productionEnv } from './production-env.ts'
import { isInstalled, type ProxyName, type ProxyProcess, proxyNames, startProxy } from './proxy-process.ts'
import { makeWorld, type World } from './world.ts'

/** The payer's address; the proxy itself connects from 127.0.0.1. */
const PAYER = '127.0.0.2'
const KIB = 1024
/** The default of DRAIN_SECONDS in production. */
const DRAIN_MS = 10_000

interface Seen {
  readonly gateway: number
  readonly path: string
  readonly ip: string
  readonly protocol: string
  readonly host: string
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

const certificate = await certificateFor('localhost')
const installed = proxyNames.filter(isInstalled)

describe.skipIf(installed.length === 0)('behind the example of', () => {
  let dataDir: string
  let world: World
  let live: Live
  const seen: Seen[] = []
  const apps: Awaited<ReturnType<typeof buildApp>>[] = []
  /** Why a gateway is not ready. */
  const problems: (string | null)[] = [null, null]
  let ports: readonly [number, number]
  const proxies = new Map<ProxyName, ProxyProcess>()
  /** Clients that stop in their headers, each with the time after which its proxy disconnects it. */
  const stalled = new Map<ProxyName, Promise<number>>()

  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'muripo-proxies-'))
    world = await makeWorld({
      ...productionEnv,
      MURIPO_DATA: dataDir,
      RATE_LIMITS: '100',
      TRUSTED_PROXIES: '127.0.0.1',
    })
    live = createLive(world.ctx)
    await live.connect(world.ctx.databaseUrl)
    for (const gateway of problems.keys()) {
      const app = await buildApp({
        ctx: withProviders(world.ctx),
        ctxs: oneDatabase(world.ctx),
        keyCache: new KeyCache(),
        targets: anyTargets(),
        live,
        worker: createHeartbeat(world.ctx.clock),
        ready: async () => problems[gateway] ?? null,
        mailbox: null,
        webBuild: null,
      })
      app.addHook('onRequest', async ({ url, ip, protocol, host }) => {
        if (url !== '/readyz') seen.push({ gateway, path: url, ip, protocol, host })
      })
      await app.listen({ host: '127.0.0.1', port: 0 })
      apps.push(app)
    }
    const [first = 0, second = 0] = apps.map((app) => (app.server.address() as AddressInfo).port)
    ports = [first, second]
    for (const name of installed) {
      const proxy = await startProxy(name, certificate, ports)
      proxies.set(name, proxy)
      // A proxy waits ten seconds for the headers, in which the tests run.
      stalled.set(name, stall(proxy.port))
    }
  })
  afterAll(async () => {
    for (const proxy of proxies.values()) await proxy.stop()
    await live.close()
    for (const app of apps) await app.close()
    await world.ctx.backgroundTasks.drain()
    await world.ctx.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  describe.for(installed)('%s', (name) => {
    let proxy: ProxyProcess

    beforeAll(async () => {
      const started = proxies.get(name)
      if (started === undefined) throw new Error(`${name} did not start`)
      proxy = started
      await vi.waitUntil(async () => (await call('/healthz')).status === 200, 120_000)
    })

    const open = (
      at: string,
      { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
    ) =>
      request({
        host: '127.0.0.1',
        port: proxy.port,
        localAddress: PAYER,
        servername: 'localhost',
        ca: certificate.cert,
        agent: false,
        path: at,
        method,
        headers: { host: `localhost:${proxy.port}`, ...headers },
      })

    const answerOf = (outgoing: ReturnType<typeof request>): Promise<Answer> =>
      new Promise((resolve, reject) => {
        outgoing.once('error', reject)
        outgoing.once('response', (response: IncomingMessage) => {
          let text = ''
          response.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk
          })
          response.once('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
          )
          response.once('error', reject)
        })
      })

    function call(at: string, options: Parameters<typeof open>[1] & { body?: Buffer | string } = {}) {
      const outgoing = open(at, options)
      const answer = answerOf(outgoing)
      outgoing.end(options.body)
      return answer
    }

    function upload(bytes: number) {
      const filler = Buffer.alloc(bytes, '%')
      const boundary = 'a-boundary-of-parts'
      const body = Buffer.concat([
        Buffer.from(
          `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\ncontent-type: application/pdf\r\n\r\n`,
        ),
        pdf({ objects: [Buffer.concat([filler, Buffer.from('\n')])] }),
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ])
      return call('/v1/files/upload', {
        method: 'POST',
        headers: {
          'content-type': `multipart/form-data; boundary=${boundary}`,
          'content-length': String(body.length),
          'x-api-key': world.ctx.keys.uploadKey,
        },
        body,
      })
    }

    test('the gateway sees the address of the payer over TLS, whatever the payer forwards', async () => {
      seen.length = 0
      for (const headers of [
        {},
        { 'x-forwarded-for': '198.51.100.9', 'x-forwarded-proto': 'http', forwarded: 'for=198.51.100.9' },
      ]) {
        const { status } = await call('/v1/config', { headers })
        expect(status).toBe(200)
      }
      expect(seen.map(({ ip, protocol }) => ({ ip, protocol }))).toEqual(
        Array(2).fill({ ip: PAYER, protocol: 'https' }),
      )
      expect(new Set(seen.map(({ host }) => host.split(':')[0]))).toEqual(new Set(['localhost']))
    })

    test('an event of a stream arrives while the stream stays open', async () => {
      const { merchantId } = await makeMerchant(world.ctx)
      const { authToken } = await makeSession(world.ctx, merchantId)
      const outgoing = open('/v1/live', { headers: { authorization: `Bearer ${authToken}` } })
      let text = ''
      outgoing.once('response', (response) =>
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        }),
      )
      outgoing.on('error', () => undefined)
      outgoing.end()
      await expect.poll(() => text).toContain('retry:')
      await world.ctx.db.pool.query('select pg_notify($1, $2)', [
        channels.paymentsChanged,
        JSON.stringify({ accountId: uuidOf(merchantId), paymentIds: [], more: true }),
      ])
      await expect.poll(() => text).toContain('event: payments')
      outgoing.destroy()
    })

    test('a document of almost 10 MiB passes, and a larger body is refused', async () => {
      expect(await upload(10 * KIB * KIB - 4 * KIB)).toMatchObject({ status: 201 })
      const refusal = await upload(12 * KIB * KIB).catch((error: NodeJS.ErrnoException) => error.code)
      // A proxy that refuses by the length closes the connection while the body is being sent.
      if (typeof refusal === 'object') expect(refusal.status).toBe(413)
      else expect(['EPIPE', 'ECONNRESET']).toContain(refusal)
    })

    test('calls beyond the places of the processes wait in the proxy or are refused there', async () => {
      const slow = await openSlowGateways()
      const holding = async (calls: number) => expect.poll(() => slow.held).toHaveLength(calls)
      const other = await startProxy(name, certificate, slow.ports, { places: 2 })
      const whole = proxy
      try {
        proxy = other
        // In Caddy only reads wait.
        const callOnce = () => call('/api/v1/payments', { method: name === 'caddy' ? 'GET' : 'POST' })
        const answers: Promise<Answer>[] = []
        while (answers.length < 4) {
          answers.push(callOnce())
          await holding(answers.length)
        }
        // The calls that wait in Caddy look for a place every 250 ms, and two that look at the same moment take the same one.
        while (answers.length < 8) {
          answers.push(callOnce())
          await sleep(60)
        }
        await sleep(300)
        expect(slow.held).toHaveLength(4)
        if (name !== 'caddy') {
          const stream = answerOf(open('/v1/live').end())
          await holding(5)
          slow.held.pop()?.()
          expect((await stream).status).toBe(200)
        }
        const answered: Answer[] = []
        for (const answer of answers) void answer.then((each) => answered.push(each))
        const refused = () => answered.filter(({ status }) => status === 503)
        // A waiting call gets the place of an answered one.
        slow.held.pop()?.()
        await expect.poll(() => refused().length + slow.held.length).toBe(7)
        if (name === 'nginx') expect(slow.held).toHaveLength(3)
        if (name === 'haproxy') expect(slow.held).toHaveLength(4)
        if (name === 'caddy') expect([4, 5]).toContain(slow.held.length)
        const refusals = refused()
        for (const { headers, text } of refusals) {
          expect(headers).toMatchObject({
            'retry-after': '1',
            'content-type': 'application/problem+json',
            'x-request-id': expect.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
          })
          expect(JSON.parse(text)).toEqual(toProblem(overloaded(), String(headers['x-request-id'])))
        }
        for (const release of slow.held) release()
        const statuses = (await Promise.all(answers)).map(({ status }) => status)
        expect(statuses.filter((status) => status === 200)).toHaveLength(8 - refusals.length)
      } finally {
        proxy = whole
        await other.stop()
        slow.close()
      }
    })

    test.skipIf(name !== 'haproxy')(
      'a waiting call of a payer gets a place before an earlier one of a dashboard',
      async () => {
        const slow = await openSlowGateways()
        const other = await startProxy(name, certificate, slow.ports, { places: 1 })
        const whole = proxy
        try {
          proxy = other
          const answers = [call('/v1/config'), call('/v1/config')]
          await expect.poll(() => slow.held).toHaveLength(2)
          // Nothing shows that a call has reached the queue of the proxy, in which it waits for up to three seconds.
          for (const at of ['/v1/payments/all', '/pay/token']) {
            answers.push(call(at))
            await sleep(700)
          }
          slow.held.pop()?.()
          await expect.poll(() => slow.paths[2]).toBe('/pay/token')
          let ended = 0
          for (const answer of answers) void answer.then(() => ended++)
          await expect
            .poll(() => {
              for (const release of slow.held.splice(0)) release()
              return ended
            })
            .toBe(answers.length)
        } finally {
          proxy = whole
          await other.stop()
          slow.close()
        }
      },
    )

    test('a call that reaches no process goes to the other one', async () => {
      // Nothing listens on the port of a discarded service.
      const other = await startProxy(name, certificate, [9, ports[1]])
      const whole = proxy
      try {
        proxy = other
        const statuses = []
        for (let each = 0; each < 6; each += 1) statuses.push((await call('/v1/config')).status)
        expect(statuses).toEqual(Array(6).fill(200))
      } finally {
        proxy = whole
        await other.stop()
      }
    })

    test.skipIf(name === 'nginx')(
      'a process that is not ready gets no call any more before its drain ends',
      async () => {
        const turnsTo = async (gateways: readonly number[], withinMs: number) =>
          vi.waitFor(
            async () => {
              seen.length = 0
              await Promise.all(Array.from({ length: 12 }, () => call('/v1/config')))
              expect(new Set(seen.map(({ gateway }) => gateway))).toEqual(new Set(gateways))
            },
            { timeout: withinMs, interval: 200 },
          )
        await turnsTo([0, 1], 10_000)
        problems[0] = 'stopping'
        try {
          await turnsTo([1], DRAIN_MS)
        } finally {
          problems[0] = null
        }
        await turnsTo([0, 1], 10_000)
      },
    )

    test('a slow body is waited for, and a client that stops in its headers is disconnected', async () => {
      const body = JSON.stringify({ email: 'nobody@example.com', password: 'none' })
      const outgoing = open('/v1/auth/signin', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': String(body.length) },
      })
      const answer = answerOf(outgoing)
      for (const byte of body.slice(0, 10)) {
        outgoing.write(byte)
        await sleep(200)
      }
      outgoing.end(body.slice(10))
      expect((await answer).headers['content-type']).toContain('json')

      const stalledMs = await stalled.get(name)
      expect(stalledMs).toBeGreaterThan(5000)
      expect(stalledMs).toBeLessThan(20_000)
    })
  })
})

/** Begins a request and stops in its headers; resolves with the milliseconds after which the connection is closed. */
function stall(port: number): Promise<number> {
  const since = performance.now()
  const socket = connect({ host: '127.0.0.1', port, servername: 'localhost', ca: certificate.cert })
  socket.on('error', () => undefined).resume()
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
  return new Promise((resolve) => socket.once('close', () => resolve(performance.now() - since)))
}

/** Two processes that are ready and hold each call until it is released. */
async function openSlowGateways() {
  const held: (() => void)[] = []
  const paths: string[] = []
  const servers = await Promise.all(
    [0, 1].map(async () => {
      const server = createServer((incoming, response) => {
        if (incoming.url === '/readyz') {
          response.end()
          return
        }
        paths.push(incoming.url ?? '')
        held.push(() => response.end())
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      return server
    }),
  )
  const [first = 0, second = 0] = servers.map((server) => (server.address() as AddressInfo).port)
  return {
    held,
    paths,
    ports: [first, second] as const,
    close() {
      for (const server of servers) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
}

test.skipIf(installed.length === proxyNames.length)(
  `the examples of all proxies run (not installed: ${missing().join(', ') || 'none'})`,
  ({ skip }) => skip(),
)

function missing(): ProxyName[] {
  return proxyNames.filter((name) => !installed.includes(name))
}

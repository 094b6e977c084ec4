import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { certificateFor } from '@muripo/testing/certificate'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createOutbound, type Outbound } from './outbound.ts'
import { anyTargets, publicTargets, type Targets } from './targets.ts'

let servers: Server[]
let outbounds: Outbound[]
beforeEach(() => {
  servers = []
  outbounds = []
})
afterEach(async () => {
  await Promise.all(outbounds.map((each) => each.close()))
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

async function listening(server: Server): Promise<number> {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** A private server that must never be called, with the requests that it received. */
async function canary(listener: RequestListener = (_request, reply) => reply.end()) {
  const seen = { connections: 0, requests: 0 }
  const server = createServer(listener)
  server.on('connection', () => {
    seen.connections += 1
  })
  server.on('request', () => {
    seen.requests += 1
  })
  return { seen, port: await listening(server) }
}

function outbound(targets: Targets, options: { timeoutMs?: number; ca?: string } = {}): Outbound {
  const made = createOutbound(targets, { timeoutMs: 30_000, ...options })
  outbounds.push(made)
  return made
}

/** The ports and protocols of these tests are allowed, so that only the addresses decide. */
const publicOnly = (resolve: (host: string) => Promise<string[]>): Targets => ({
  ...publicTargets(resolve),
  errorOf: () => null,
})

describe('a private address is never reached', () => {
  test('a name that was public when it was saved and is private now', async () => {
    const { seen, port } = await canary()
    let lookups = 0
    const targets = publicOnly(async () => {
      lookups += 1
      return lookups === 1 ? ['93.184.216.34'] : ['127.0.0.1']
    })
    expect(await targets.addressesOf('shop.example.com')).toEqual(['93.184.216.34'])
    const call = outbound(targets).post(`http://shop.example.com:${port}/`, {}, 'x')
    expect(await call).toEqual({ error: 'address_refused' })
    expect(lookups).toBe(2)
    expect(seen.connections).toBe(0)
  })

  test('a name that turns private between two look-ups: it is looked up once, and that address is called', async () => {
    const { seen, port } = await canary()
    let lookups = 0
    const targets: Targets = {
      ...anyTargets(),
      addressesOf: async () => {
        lookups += 1
        return [lookups === 1 ? '127.0.0.2' : '127.0.0.1']
      },
    }
    const result = await outbound(targets).post(`http://a.example.com:${port}/`, {}, 'x')
    expect(result).toEqual({ error: 'connection_failed' })
    expect(lookups).toBe(1)
    expect(seen.connections).toBe(0)
  })

  test.each(['127.0.0.1', '0.0.0.0', '2130706433', '0x7f.1', '0177.1', '[::ffff:127.0.0.1]'])(
    'a numeric host: %s',
    async (host) => {
      const { seen, port } = await canary()
      const targets = publicOnly(async () => ['93.184.216.34'])
      expect(await outbound(targets).post(`http://${host}:${port}/`, {}, 'x')).toEqual({
        error: 'address_refused',
      })
      expect(seen.connections).toBe(0)
    },
  )

  test('a redirect is a response, and is not followed', async () => {
    const { seen, port } = await canary()
    const from = await canary((_request, reply) =>
      reply.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end(),
    )
    expect(await outbound(anyTargets()).post(`http://127.0.0.1:${from.port}/`, {}, 'x')).toMatchObject({
      status: 307,
    })
    expect(seen.connections).toBe(0)
  })

  test('a connection to another address than intended is dropped before any byte is sent', async () => {
    const { seen, port } = await canary()
    const targets: Targets = {
      errorOf: () => null,
      addressesOf: async () => ['127.0.0.1'],
      mayConnect: () => false,
    }
    expect(await outbound(targets).post(`http://a.example.com:${port}/`, {}, 'x')).toEqual({
      error: 'address_refused',
    })
    expect(seen.requests).toBe(0)
  })

  test('a malformed address is refused at each call too', async () => {
    const { seen, port } = await canary()
    const targets = publicTargets(async () => ['93.184.216.34'])
    expect(await outbound(targets).post(`http://127.0.0.1:${port}/`, {}, 'x')).toEqual({
      error: 'address_refused',
    })
    expect(seen.connections).toBe(0)
  })

  test('a name that cannot be found', async () => {
    const targets = publicOnly(async () => {
      throw new Error('SERVFAIL')
    })
    expect(await outbound(targets).post('http://a.example.com/', {}, 'x')).toEqual({ error: 'not_found' })
  })
})

describe('a called host', () => {
  const toHere: Targets = { ...anyTargets(), addressesOf: async () => ['127.0.0.1'] }

  test('gets its name in the request although the connection goes to an address, and connections are reused', async () => {
    const hosts: (string | undefined)[] = []
    const { seen, port } = await canary((request, reply) => {
      hosts.push(request.headers.host)
      request.resume().on('end', () => reply.end('ok'))
    })
    const caller = outbound(toHere)
    for (let count = 0; count < 10; count += 1) {
      expect(await caller.post(`http://a.example.com:${port}/x?y=1`, { a: 'b' }, 'body')).toMatchObject({
        status: 200,
        body: Buffer.from('ok'),
        isCut: false,
      })
    }
    expect(hosts).toEqual(Array(10).fill(`a.example.com:${port}`))
    // A connection is free again a moment after its response.
    expect(seen.connections).toBeLessThan(3)
  })

  test('proves its name by its certificate', async () => {
    const certificate = await certificateFor('shop.example.com')
    const port = await listening(createSecureServer(certificate, (_request, reply) => reply.end()))
    const trusting = outbound(toHere, { ca: certificate.cert })
    expect(await trusting.post(`https://shop.example.com:${port}/`, {}, 'x')).toMatchObject({ status: 200 })
    expect(await trusting.post(`https://other.example.com:${port}/`, {}, 'x')).toEqual({
      error: 'certificate_invalid',
    })
    expect(await outbound(toHere).post(`https://shop.example.com:${port}/`, {}, 'x')).toEqual({
      error: 'certificate_invalid',
    })
  })

  test('has the given time to answer, its body included', async () => {
    const silent = await canary(() => undefined)
    const slow = await canary((_request, reply) => {
      const drip = setInterval(() => reply.write('x'), 20)
      reply.on('close', () => clearInterval(drip))
    })
    const caller = outbound(anyTargets(), { timeoutMs: 250 })
    for (const { port } of [silent, slow]) {
      expect(await caller.post(`http://127.0.0.1:${port}/`, {}, 'x')).toEqual({ error: 'timed_out' })
    }
  })

  test('is not read beyond 64 kB', async () => {
    const { port } = await canary((_request, reply) => reply.end(Buffer.alloc(1_000_000, 'x')))
    const result = await outbound(anyTargets()).post(`http://127.0.0.1:${port}/`, {}, 'x')
    expect(result).toMatchObject({ status: 200, isCut: true })
    expect('body' in result && result.body.length).toBe(65_536)
  })
})

import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Problem } from '@muripo/contract/errors'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { productionEnv } from '../../../test/production-env.ts'
import { parseConfig } from '../config.ts'
import { createLog } from '../log.ts'
import { secureHeaders } from './headers.ts'
import { createHttp } from './server.ts'

let app: FastifyInstance
let port: number
/** The server's sockets of the connections. */
const ends: Socket[] = []

beforeAll(async () => {
  const config = parseConfig(productionEnv)
  app = createHttp(config, createLog('silent'))
  secureHeaders(app, config)
  app.get('/slowly', (_request, reply) => {
    reply.hijack()
    reply.raw.write('the first half')
  })
  app.server.on('connection', (socket) => ends.push(socket))
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
})
afterAll(() => app.close())

/**
 * Sends bytes that no HTTP library would send, and reads until the server closes the connection.
 * @param rest sent when the first bytes are answered
 */
async function send(bytes: string, rest?: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8').on('data', (text) => {
    if (received === '' && rest !== undefined) socket.write(rest)
    received += text
  })
  const closed = once(socket, 'close')
  socket.write(bytes)
  await closed
  return received
}

function read(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const headers = Object.fromEntries(fields.map((field) => field.split(': ') as [string, string]))
  return { line, headers, problem: Problem.parse(JSON.parse(body)) }
}

const get = (headers: string) => `GET /healthz HTTP/1.1\r\nhost: h\r\n${headers}\r\n`

test.each([
  ['garbage', 'hello there\r\n\r\n', '400 Bad Request', 'malformed_request'],
  [
    'a header of 20 kB',
    get(`x-big: ${'x'.repeat(20_000)}\r\n`),
    '431 Request Header Fields Too Large',
    'headers_too_large',
  ],
  ['two hosts', get('Host: other\r\n'), '400 Bad Request', 'malformed_request'],
  [
    'a host that is none',
    get('').replace('host: h', 'host: 127.0.0.1:99999'),
    '400 Bad Request',
    'malformed_request',
  ],
  ['a length that is none', get('content-length: many\r\n'), '400 Bad Request', 'malformed_request'],
  [
    'two lengths, as smugglers send them',
    get('content-length: 5\r\ntransfer-encoding: chunked\r\n'),
    '400 Bad Request',
    'malformed_request',
  ],
])(
  '%s is answered with a problem that has an id, and the connection ends',
  async (_what, sent, status, code) => {
    const { line, headers, problem } = read(await send(sent))
    expect(line).toBe(`HTTP/1.1 ${status}`)
    expect(headers).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      connection: 'close',
    })
    expect(problem).toMatchObject({ code, status: Number(status.slice(0, 3)) })
    expect(headers['content-length']).toBe(String(Buffer.byteLength(JSON.stringify(problem))))
    expect(problem.requestId).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers['x-request-id']).toBe(problem.requestId)
  },
)

test('a request that does not arrive in time is answered likewise', async () => {
  const answer = send('GET / HTT')
  await expect.poll(() => ends.at(-1)?.bytesRead).toBe(9)
  app.server.emit(
    'clientError',
    Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
    ends.at(-1),
  )
  const { line, problem } = read(await answer)
  expect([line, problem.code]).toEqual(['HTTP/1.1 408 Request Timeout', 'request_too_slow'])
})

test('garbage after a request whose response has begun ends the connection silently', async () => {
  const received = await send(get('').replace('/healthz', '/slowly'), 'hello there\r\n\r\n')
  expect(received).toContain('the first half')
  expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1)
})

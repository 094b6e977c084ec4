import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { Problem } from '@muripo/contract/errors'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { parseConfig } from '../config.ts'
import { createLog } from '../log.ts'
import { limitBodyTime } from './body-time.ts'
import { sendProblem } from './error-responses.ts'
import { createHttp } from './server.ts'

const TIMEOUT_MS = 300

let app: FastifyInstance
let handled = 0

beforeAll(async () => {
  app = Fastify({ forceCloseConnections: true })
  limitBodyTime(app, TIMEOUT_MS)
  app.setErrorHandler((error, request, reply) => sendProblem(error as never, request, reply))
  app.post('/small', async () => {
    handled += 1
    return 'read'
  })
  app.post('/large', { config: { largeBody: true } }, async () => 'read')
  app.post('/refused', { onRequest: async (_request, reply) => reply.status(401).send('no') }, async () => '')
  await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

/** Sends a request piece by piece, with a pause before each but the first, and reads until the server closes the connection. */
async function send(path: string, pieces: string[], pauseMs: number, headers = '') {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8').on('data', (text) => {
    received += text
  })
  socket.on('error', () => undefined)
  const startedAt = performance.now()
  // An error of the socket is no end: `once` of node:events would reject with it.
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const length = headers === '' ? `content-length: ${pieces.join('').length}\r\n` : headers
  socket.write(`POST ${path} HTTP/1.1\r\nhost: h\r\ncontent-type: application/json\r\n${length}\r\n`)
  for (const piece of pieces) {
    await setTimeout(pauseMs)
    if (!socket.destroyed) socket.write(piece)
    if (received.includes('\r\n\r\n')) break
  }
  await Promise.race([closed, setTimeout(4 * TIMEOUT_MS)])
  const wasClosed = socket.destroyed
  socket.destroy()
  return { received, wasClosed, ms: performance.now() - startedAt }
}

describe('a body', () => {
  test.each([
    ['stops', ['{"a":'], 10, 'content-length: 90\r\n'],
    ['trickles', Array.from({ length: 40 }, () => ' '), TIMEOUT_MS / 10, ''],
    ['comes in chunks that never end', ['5\r\n{"a":\r\n'], 10, 'transfer-encoding: chunked\r\n'],
  ])('that %s is answered with 408, and the connection ends', async (_what, pieces, pauseMs, headers) => {
    const before = handled
    const { received, wasClosed, ms } = await send('/small', pieces, pauseMs, headers)
    const [head = '', body = ''] = received.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(head).toMatch(/content-type: application\/problem\+json/)
    expect(head).toMatch(/connection: close/)
    expect(Problem.parse(JSON.parse(body)).code).toBe('request_too_slow')
    expect(wasClosed).toBe(true)
    expect(ms).toBeGreaterThan(TIMEOUT_MS * 0.9)
    expect(handled).toBe(before)
  })

  test('that arrives in time is read, and a file may take longer', async () => {
    expect((await send('/small', ['{"a"', ':1}'], TIMEOUT_MS / 10)).received).toMatch(/^HTTP\/1\.1 200 /)
    expect((await send('/large', ['{"a"', ':1}'], TIMEOUT_MS * 1.5)).received).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('that is refused before it is read does not block the connection', async () => {
    const { received, wasClosed } = await send('/refused', ['{'], 10, 'content-length: 90\r\n')
    expect(received).toMatch(/^HTTP\/1\.1 401 /)
    expect(wasClosed).toBe(true)
  })
})

test('a call of the gateway has 15 seconds for its body, and the process 10,000 connections', async () => {
  const gateway = createHttp(parseConfig({}), createLog('silent'))
  gateway.post('/echo', async ({ body }) => body)
  await gateway.listen({ port: 0, host: '127.0.0.1' })
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const timeUp = () => timers.mock.calls.find(([, ms]) => ms === 15_000)?.[0] as (() => void) | undefined
  const socket = connect((gateway.server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8')
  socket.write(
    'POST /echo HTTP/1.1\r\nhost: h\r\ncontent-type: application/json\r\ncontent-length: 90\r\n\r\n{"a":',
  )
  await vi.waitFor(() => expect(timeUp()).toBeDefined())
  timeUp()?.()
  const [answer] = (await once(socket, 'data')) as [string]
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(answer).toContain('"code":"request_too_slow"')
  expect(gateway.server.maxConnections).toBe(10_000)
  timers.mockRestore()
  await gateway.close()
})

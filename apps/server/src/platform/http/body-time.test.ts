import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Problem } from '@muripo/contract/errors'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { withoutAdvance } from '../../../test/controlled-timeouts.ts'
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
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  // The spy of a fake timer restores it, so that it has to end before the fake one.
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const headOf = (path: string, length = 'content-length: 8') =>
  `POST ${path} HTTP/1.1\r\nhost: h\r\ncontent-type: application/json\r\n${length}\r\n\r\n`

/** A connection to the server, with the text that it has received. */
async function open(server: FastifyInstance) {
  const accepted = once(server.server, 'connection') as Promise<[Socket]>
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1')
  const [peer] = await accepted
  let received = ''
  let sentBytes = 0
  socket.setEncoding('utf8').on('data', (text) => {
    received += text
  })
  socket.on('error', () => undefined)
  return {
    received: () => received,
    // An error of the socket is no end: `once` of node:events would reject with it.
    closed: new Promise((resolve) => socket.once('close', resolve)),
    /** Resolves when the server has read the text. */
    async send(text: string): Promise<void> {
      socket.write(text)
      sentBytes += text.length
      await expect.poll(() => peer.bytesRead, withoutAdvance).toBe(sentBytes)
    },
    end: (text: string) => socket.end(text),
  }
}

describe('a body', () => {
  test.each([
    ['stops', 'content-length: 90', ['{"a":']],
    ['trickles', 'content-length: 90', [' ', ' ', ' ']],
    ['comes in chunks that never end', 'transfer-encoding: chunked', ['5\r\n{"a":\r\n']],
  ])('that %s is answered with 408, and the connection ends', async (_what, length, pieces) => {
    const before = handled
    const { send, received, closed } = await open(app)
    await send(headOf('/small', length))
    await expect.poll(() => vi.getTimerCount(), withoutAdvance).toBe(1)
    for (const piece of pieces) {
      await send(piece)
      vi.advanceTimersByTime(90)
    }
    expect(received()).toBe('')
    vi.advanceTimersByTime(TIMEOUT_MS - 90 * pieces.length)
    await closed
    const [head = '', body = ''] = received().split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(head).toMatch(/content-type: application\/problem\+json/)
    expect(head).toMatch(/connection: close/)
    expect(Problem.parse(JSON.parse(body)).code).toBe('request_too_slow')
    expect(handled).toBe(before)
  })

  test.each([
    ['that arrives in time is read', '/small', TIMEOUT_MS - 1],
    ['that is a file may take longer', '/large', 10 * TIMEOUT_MS],
  ])('%s', async (_what, path, pauseMs) => {
    const { send, received, end } = await open(app)
    await send(`${headOf(path)}{"a"`)
    if (path === '/small') await expect.poll(() => vi.getTimerCount(), withoutAdvance).toBe(1)
    vi.advanceTimersByTime(pauseMs)
    end(':1} ')
    await expect.poll(received, withoutAdvance).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('that is refused before it is read does not block the connection', async () => {
    const { send, received, closed } = await open(app)
    await send(`${headOf('/refused', 'content-length: 90')}{`)
    await expect.poll(received, withoutAdvance).toMatch(/^HTTP\/1\.1 401 /)
    await expect.poll(() => vi.getTimerCount(), withoutAdvance).toBe(1)
    vi.advanceTimersByTime(TIMEOUT_MS)
    await closed
  })
})

test('a call of the gateway has 15 seconds for its body, and the process 10,000 connections', async () => {
  const gateway = createHttp(parseConfig({}), createLog('silent'))
  gateway.post('/echo', async ({ body }) => body)
  await gateway.listen({ port: 0, host: '127.0.0.1' })
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const { send, received, closed } = await open(gateway)
  await send(`${headOf('/echo', 'content-length: 90')}{"a":`)
  await expect.poll(() => timers.mock.calls.map(([, ms]) => ms), withoutAdvance).toContain(15_000)
  vi.advanceTimersByTime(15_000)
  await closed
  expect(received()).toMatch(/^HTTP\/1\.1 408 /)
  expect(received()).toContain('"code":"request_too_slow"')
  expect(gateway.server.maxConnections).toBe(10_000)
  await gateway.close()
})

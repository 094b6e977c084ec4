import { setTimeout } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { parseConfig } from '../config.ts'
import { createLog } from '../log.ts'
import { noteAuthenticated } from '../request-scope.ts'
import { createHttp } from './server.ts'

const lines: Record<string, unknown>[] = []
const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
const app = createHttp(parseConfig({}), log)
app.addHook('onRequest', async (request) => {
  if (request.headers.authorization) noteAuthenticated(request)
})
app.get('/logged', async () => {
  log.info('in the handler')
  void setTimeout(20).then(() => log.info('behind the response'))
  return 'done'
})
app.get('/failing', () => {
  throw new Error('a bug')
})
afterAll(() => app.close())

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`

test('lines of a request and of the work behind its response have its id and its trace', async () => {
  const { headers } = await app.inject({
    url: '/logged',
    headers: { authorization: 'Bearer key', traceparent },
  })
  await expect.poll(() => lines.length).toBe(2)
  expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
  const ids = { requestId: headers['x-request-id'], traceId }
  expect(lines).toMatchObject([
    { msg: 'in the handler', ...ids },
    { msg: 'behind the response', ...ids },
  ])
})

test('the line of a failed request has both, once', async () => {
  lines.length = 0
  await app.inject({
    url: '/failing',
    headers: { authorization: 'Bearer key', traceparent, 'x-request-id': 'mine' },
  })
  expect(lines).toEqual([
    expect.objectContaining({ msg: 'request failed', requestId: 'caller:mine', traceId }),
  ])
})

test.each([
  undefined,
  'none',
  `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
  `00-${traceId.toUpperCase()}-00f067aa0ba902b7-01`,
  `00-${traceId}`,
])('a trace that is not valid is left out: %s', async (given) => {
  lines.length = 0
  await app.inject({
    url: '/failing',
    headers: { authorization: 'Bearer key', ...(given !== undefined && { traceparent: given }) },
  })
  expect(lines).toEqual([expect.not.objectContaining({ traceId: expect.anything() })])
})

test('the trace of a caller without a key is left out', async () => {
  lines.length = 0
  await app.inject({ url: '/failing', headers: { traceparent } })
  expect(lines).toEqual([expect.not.objectContaining({ traceId: expect.anything() })])
})

test('lines outside of requests have neither', () => {
  lines.length = 0
  log.info('at the start')
  expect(Object.keys(lines[0] ?? {}).toSorted()).toEqual(['level', 'msg', 'time'])
})

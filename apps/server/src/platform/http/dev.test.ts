import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseConfig } from '../config.ts'
import { createLog } from '../log.ts'
import type { Mailbox } from '../mail/mailbox.ts'
import { mountDev } from './dev.ts'
import { createHttp } from './server.ts'

let app: FastifyInstance

beforeAll(() => {
  app = createHttp(parseConfig({}), createLog('silent'))
  mountDev(app, { list: async () => [] } as unknown as Mailbox, 'http://127.0.0.1:3001')
})
afterAll(() => app.close())

const pages = ['/dev/mailbox', '/dev/mailbox/messages?to=a@b.co', '/dev/phone', '/dev/codes'] as const
const statuses = (remoteAddress: string, headers: Record<string, string>) =>
  Promise.all(pages.map(async (url) => (await app.inject({ url, remoteAddress, headers })).statusCode))

test.each([
  ['127.0.0.1', 'localhost:3000'],
  ['127.0.0.1', '127.0.0.1:3000'],
  ['::1', '[::1]:3000'],
  ['::ffff:127.0.0.1', 'LOCALHOST'],
])('the pages of development answer %s that requests %s', async (address, host) => {
  expect(await statuses(address, { host })).toEqual([200, 200, 302, 302])
})

test.each([
  ['another machine', '192.168.0.9', { host: 'localhost:3000' }],
  ['another machine by IPv6', '2001:db8::1', { host: '[::1]:3000' }],
  ['a name that leads here', '127.0.0.1', { host: 'rebound.example:3000' }],
  ['a name that begins like this machine', '127.0.0.1', { host: 'localhost.example' }],
  ['a proxy on this machine', '127.0.0.1', { host: 'localhost', 'x-forwarded-for': '127.0.0.1' }],
  [
    'a proxy that names its host alone',
    '127.0.0.1',
    { host: 'localhost', 'x-forwarded-host': 'pay.example' },
  ],
  ['a proxy by the standard header', '127.0.0.1', { host: 'localhost', forwarded: 'for=203.0.113.1' }],
])('the pages of development do not exist for %s', async (_what, address, headers) => {
  expect(await statuses(address, headers)).toEqual([404, 404, 404, 404])
})

test('a host that cannot be read is refused', async () => {
  expect(await statuses('127.0.0.1', { host: 'local host' })).toEqual([400, 400, 400, 400])
})

test.each([
  ['/dev/phone', '/phone'],
  ['/dev/phone?number=%2B263771000001', '/phone?number=%2B263771000001'],
  ['/dev/codes', '/innbucks/app'],
  ['/dev/codes?code=701%20234%20567', '/innbucks/app?code=701%20234%20567'],
])('%s leads to %s of the simulator', async (url, target) => {
  const { headers } = await app.inject({ url, headers: { host: 'localhost' } })
  expect(headers.location).toBe(`http://127.0.0.1:3001${target}`)
})

import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { parseConfig } from '../config.ts'
import { createLog } from '../log.ts'
import { createHttp } from './server.ts'

describe('the address of a caller', () => {
  let app: FastifyInstance | undefined
  afterEach(() => app?.close())

  async function addressBehind(
    trustedProxies: number | string[],
    remoteAddress: string,
    forwardedFor?: string,
  ) {
    const log = createLog('silent')
    const warn = vi.spyOn(log, 'warn')
    app = createHttp({ ...parseConfig({}), trustedProxies }, log)
    app.get('/who', async ({ ip }) => ip)
    const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
    const request = async () => (await app?.inject({ url: '/who', headers, remoteAddress }))?.body
    const seen = [await request(), await request()]
    expect(seen[0]).toBe(seen[1])
    return { address: seen[0], warnings: warn.mock.calls.map(([facts]) => facts) }
  }

  test.each([
    ['203.0.113.7:50001', '203.0.113.7'],
    ['[2001:DB8::9]:4711', '2001:db8::9'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['unknown', '10.0.0.1'],
    ['garbage "<b>x</b>"', '10.0.0.1'],
    [`${'('.repeat(15_000)}`, '10.0.0.1'],
  ])('that a trusted proxy writes as %j is %s', async (forwardedFor, address) => {
    expect(await addressBehind(1, '10.0.0.1', forwardedFor)).toEqual({ address, warnings: [] })
  })

  test('behind a listed proxy that writes ports is that of the first hop which is not listed', async () => {
    const { address } = await addressBehind(['10.0.0.0/8'], '10.0.0.1', '203.0.113.7:5, 10.0.0.9:4711')
    expect(address).toBe('203.0.113.7')
  })

  test('on a socket in IPv6 form is written as IPv4', async () => {
    expect(await addressBehind(0, '::ffff:198.51.100.1')).toEqual({ address: '198.51.100.1', warnings: [] })
  })

  test.each([
    ['no proxy is trusted', 0],
    ['the sender is not a listed proxy', ['10.0.0.0/8']],
  ])('in a forwarded header is logged once as not trusted when %s', async (_what, proxies) => {
    expect(await addressBehind(proxies as never, '198.51.100.1', '203.0.113.7')).toEqual({
      address: '198.51.100.1',
      warnings: [{ from: '198.51.100.1' }],
    })
  })
})

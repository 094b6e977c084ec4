import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { productionEnv } from '../../../test/production-env.ts'
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

describe('the trusted proxies', () => {
  async function addressBehind(proxies: string, remoteAddress: string, forwardedFor: string) {
    const app = createHttp(parseConfig({ ...productionEnv, TRUSTED_PROXIES: proxies }), createLog('silent'))
    app.get('/who', async ({ ip, host, protocol }) => ({ ip, origin: `${protocol}://${host}` }))
    const headers = {
      host: 'gateway.test',
      'x-forwarded-for': forwardedFor,
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
    }
    const response = await app.inject({ url: '/who', headers, remoteAddress })
    await app.close()
    return response.json()
  }
  const own = 'http://gateway.test'
  const forwarded = 'https://evil.example'

  test.each([
    ['nobody by default', '', '203.0.113.7', '198.51.100.1', '203.0.113.7', own],
    ['one hop', '1', '10.0.0.1', '192.0.2.9, 198.51.100.1', '198.51.100.1', forwarded],
    ['two hops', '2', '10.0.0.1', '192.0.2.9, 198.51.100.1', '192.0.2.9', forwarded],
    ['a proxy that is listed', '10.0.0.1', '10.0.0.1', '198.51.100.1', '198.51.100.1', forwarded],
    ['a listed network', '10.0.0.0/8', '10.9.9.9', '198.51.100.1', '198.51.100.1', forwarded],
    [
      'a list, hop by hop',
      '10.0.0.0/8, 2001:db8::/32',
      '2001:db8::5',
      '198.51.100.1, 10.1.1.1',
      '198.51.100.1',
      forwarded,
    ],
    [
      'a listed IPv4 network in IPv6 writing',
      '10.0.0.0/8',
      '::ffff:10.9.9.9',
      '198.51.100.1',
      '198.51.100.1',
      forwarded,
    ],
    [
      'not who calls past the listed proxies',
      '10.0.0.0/8',
      '203.0.113.7',
      '198.51.100.1',
      '203.0.113.7',
      own,
    ],
    [
      'not what a caller wrote before the listed proxies',
      '10.0.0.0/8',
      '10.0.0.1',
      '127.0.0.1, 198.51.100.1',
      '198.51.100.1',
      forwarded,
    ],
  ])('%s', async (_what, proxies, remote, forwardedFor, ip, origin) => {
    expect(await addressBehind(proxies, remote, forwardedFor)).toEqual({ ip, origin })
  })

  test.each(['11', '-1', 'proxy.example', '10.0.0.0/33', '10.0.0.0/', '10.0.0.1,', '10.0.0.0/8;::1', 'true'])(
    'are an error when set to %j',
    (value) => {
      expect(() => parseConfig({ ...productionEnv, TRUSTED_PROXIES: value })).toThrow(
        'TRUSTED_PROXIES must be',
      )
    },
  )
})

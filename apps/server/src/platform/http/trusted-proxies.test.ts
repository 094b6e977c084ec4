import { describe, expect, test } from 'vitest'
import { productionEnv } from '../../../test/production-env.ts'
import { parseConfig } from '../config.ts'
import { createLog } from '../log.ts'
import { createHttp } from './server.ts'

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

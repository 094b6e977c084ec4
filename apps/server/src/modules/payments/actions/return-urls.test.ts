import { expect, test } from 'vitest'
import { refuseReturns } from './return-urls.ts'

const refuses = (mode: 'development' | 'production', key: 'live' | 'test', url: string) => {
  const refused = (field: 'success_url' | 'cancel_url') => {
    try {
      refuseReturns({ mode }, { mode: key }, { [field]: url })
      return false
    } catch (error) {
      expect(error).toMatchObject({ code: 'validation_failed', fields: [{ field }] })
      return true
    }
  }
  expect(refused('success_url')).toBe(refused('cancel_url'))
  return refused('success_url')
}

test.each([
  'http://shop.example/paid',
  'https://localhost/paid',
  'https://LOCALHOST./paid',
  'https://shop.localhost/',
  'https://intranet/paid',
  'https://till.local/',
  'https://shop.internal',
  'https://router.home.arpa/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://10.1.2.3:8443/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest',
  'https://100.64.0.1/',
  'https://[::1]/',
  'https://[fd00::1]/',
  'https://[::ffff:10.0.0.1]/',
])('a live payment does not return to %s', (url) => {
  expect(refuses('production', 'live', url)).toBe(true)
  expect(refuses('development', 'live', url)).toBe(true)
  expect(refuses('development', 'test', url)).toBe(false)
})

test.each([
  'https://shop.example/paid?order=1',
  'https://shop.co.zw:8443/',
  'https://8.8.8.8/',
  'https://local.example/',
])('a live payment returns to %s', (url) => expect(refuses('production', 'live', url)).toBe(false))

test('a test payment of production returns to https only, also on a private network', () => {
  expect(refuses('production', 'test', 'http://localhost:3000/')).toBe(true)
  expect(refuses('production', 'test', 'https://localhost:3000/')).toBe(false)
})

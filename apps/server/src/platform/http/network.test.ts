import { describe, expect, test } from 'vitest'
import { addressOf, coarse, httpUrl, networksOf, readAddress, widestNetworkOf } from './network.ts'

describe('an address that a proxy names', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    [' 203.0.113.7 ', '203.0.113.7'],
    ['203.0.113.7:50001', '203.0.113.7'],
    ['[2001:db8::9]:4711', '2001:db8::9'],
    ['[2001:db8::9]', '2001:db8::9'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:80', '203.0.113.7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]:443', 'fe80::1'],
  ])('%j is read as %s', (named, address) => expect(readAddress(named)).toBe(address))

  test.each([
    '',
    'unknown',
    '_hidden',
    'garbage <b>x</b>',
    '203.0.113',
    '203.0.113.7.1',
    '0x7f000001',
    '2130706433',
    '010.0.0.1',
    '203.0.113.7:port',
    '203.0.113.7:123456',
    '[203.0.113.7',
    '2001:db8::9]:1',
    '[]',
    '1:2:3:4:5:6:7:8:9',
    `${'1'.repeat(70)}`,
    `203.0.113.7${' '.repeat(16_000)}`,
    '%'.repeat(15_000),
  ])('%j is not read', (named) => expect(readAddress(named)).toBeNull())

  test('that is invalid leaves the address of the socket', () => {
    expect(addressOf('unknown', '::ffff:10.0.0.1')).toBe('10.0.0.1')
    expect(addressOf(undefined, undefined)).toBe('0.0.0.0')
  })
})

describe('the networks of', () => {
  test.each([
    ['203.0.113.7', ['203.0.113.7']],
    ['::ffff:203.0.113.7', ['203.0.113.7']],
    ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1::/56', '2001:db8:1::/48']],
    ['2001:db8:1:2ff::1', ['2001:db8:1:2ff::/64', '2001:db8:1:200::/56', '2001:db8:1::/48']],
    ['::1', ['::/64', '::/56', '::/48']],
    ['garbage', ['unknown']],
  ])('%s are %j', (address, names) => {
    expect(networksOf(address).map(({ name }) => name)).toEqual(names)
  })

  test.each([
    ['203.0.113.7', ['203.0.113.7 x1', '203.0.113.0/24 x10'], '203.0.113.0/24'],
    ['::ffff:203.0.113.7', ['203.0.113.7 x1', '203.0.113.0/24 x10'], '203.0.113.0/24'],
    ['2001:db8::1', ['2001:db8::/64 x1', '2001:db8::/56 x4', '2001:db8::/48 x16'], '2001:db8::/48'],
    ['garbage', ['unknown x1'], 'unknown'],
  ])('%s with the IPv4 /24 are %j', (address, names, widest) => {
    const networks = networksOf(address, { ipv4Networks: true })
    expect(networks.map(({ name, share }) => `${name} x${share}`)).toEqual(names)
    expect(widestNetworkOf(address)).toBe(widest)
  })
})

describe('coarse', () => {
  test.each([
    ['203.0.113.7', '203.0.113.x'],
    ['203.0.113.7:50001', '203.0.113.x'],
    ['::ffff:203.0.113.7', '203.0.113.x'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
    ['::1', '::'],
    ['<b>x</b>', 'unknown'],
  ])('of %s is %s', (address, text) => expect(coarse(address)).toBe(text))
})

test.each([
  ['127.0.0.1', 'http://localhost:6400'],
  ['0.0.0.0', 'http://localhost:6400'],
  ['::', 'http://localhost:6400'],
  ['::1', 'http://localhost:6400'],
  ['2001:db8::7', 'http://[2001:db8::7]:6400'],
  ['192.168.1.5', 'http://192.168.1.5:6400'],
])('a server on %s is at %s', (host, url) => {
  expect(httpUrl(host, 6400)).toBe(url)
})

import { describe, expect, test } from 'vitest'
import { coarse, networkOf } from './network.ts'

describe('networkOf', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8:1:2::', '2001:db8:1:2'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
    ['64:ff9b::192.0.2.33', '64:ff9b:0:0'],
  ])('of %s is %s', (address, network) => expect(networkOf(address)).toBe(network))
})

describe('coarse', () => {
  test.each([
    ['203.0.113.7', '203.0.113.x'],
    ['::ffff:203.0.113.7', '203.0.113.x'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
    ['::1', '0:0:0::'],
  ])('of %s is %s', (address, said) => expect(coarse(address)).toBe(said))
})

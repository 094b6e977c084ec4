import { describe, expect, test } from 'vitest'
import { displayNumber, toMsisdn } from './msisdn.ts'

describe('toMsisdn', () => {
  test.each([
    '',
    'hello',
    '0771000001 ext 5',
    '07710000AA',
    'call 0771000001',
    '077100000',
    '07710000012',
    '+27821234567',
    '+263242700000',
    '0242700000',
    '0771000001; 0771000002',
    `0771000001${' '.repeat(40)}1`,
  ])('refuses %j', (text) => {
    expect(toMsisdn(text)).toBeNull()
  })

  test.each([
    '+263 77 1000001',
    '+263771000001',
    '263771000001',
    '00263771000001',
    '0771000001',
    '771000001',
    '077-100-0001',
    '(077) 100 0001',
    '077.100.0001',
    '+263 (0)77 100 0001',
    '  0771000001 ',
  ])('reads %j', (text) => {
    expect(toMsisdn(text)).toBe('263771000001')
  })

  test('reads the other networks; a connector decides which of them its method serves', () => {
    expect(toMsisdn('0781000001')).toBe('263781000001')
    expect(toMsisdn('0711000001')).toBe('263711000001')
    expect(toMsisdn('0731000001')).toBe('263731000001')
  })
})

describe('displayNumber', () => {
  test('keeps the prefix and the last four digits', () => {
    expect(displayNumber('263771234567')).toBe('077 *** 4567')
  })
  test('shows nothing of any other text', () => {
    expect(displayNumber('12345')).toBe('***')
  })
})

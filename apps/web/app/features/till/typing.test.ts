import { describe, expect, test } from 'vitest'
import {
  amountAfter,
  DELETE,
  groupedNumber,
  isWhole,
  numberAfter,
  readTyped,
  walletOfTyped,
} from './typing.ts'

const typed = (keys: readonly string[], after: (text: string, key: string) => string) =>
  keys.reduce((text, key) => after(text, key), '')

describe('an amount', () => {
  test.each([
    ['25', '25', 25],
    ['25.50', '25.50', 25.5],
    ['.5', '0.5', 0.5],
    ['007', '7', 7],
    ['0.00', '0.00', null],
    ['1..2.3', '1.23', 1.23],
    ['12.345', '12.34', 12.34],
    ['1234567890', '123456789', 123_456_789],
    ['+1', '1', 1],
  ])('typed as %s is %s', (keys, text, amount) => {
    expect(typed([...keys], amountAfter)).toBe(text)
    expect(readTyped(text)).toBe(amount)
  })

  test('loses its last character', () => {
    expect(typed([...'12.', DELETE, DELETE], amountAfter)).toBe('1')
    expect(amountAfter('', DELETE)).toBe('')
  })
})

describe('a number', () => {
  test.each([
    ['0771234567', 'ecocash'],
    ['0781234567', 'ecocash'],
    ['+263712345678', 'onemoney'],
    ['263712345678', 'onemoney'],
    ['771234567', 'ecocash'],
    ['0731234567', null],
  ])('%s is of the wallet %s', (number, wallet) => {
    expect(walletOfTyped(number)).toBe(wallet)
    expect(isWhole(number)).toBe(true)
    expect(isWhole(number.slice(0, -1))).toBe(false)
  })

  test.each(['', '0', '07', '+', '+2', '+26', '+263', '2', '263', '2637'])(
    '%s has no wallet yet',
    (number) => {
      expect(walletOfTyped(number)).toBeUndefined()
    },
  )

  test.each([
    ['0771', '077 1'],
    ['0771234567', '077 123 4567'],
    ['+263771234567', '+263 77 123 4567'],
    ['26377', '263 77'],
    ['771234567', '771234567'],
  ])('%s is shown as %s', (number, shown) => {
    expect(groupedNumber(number).replaceAll('\u00a0', ' ')).toBe(shown)
  })

  test('has digits and a leading plus sign, and is no longer than any', () => {
    expect(typed([...'0+7.7'], numberAfter)).toBe('077')
    expect(typed([...'+26377'], numberAfter)).toBe('+26377')
    expect(typed([...'12345678901234567890'], numberAfter)).toBe('123456789012345')
  })
})

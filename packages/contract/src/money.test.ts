import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  add,
  currencies,
  equals,
  exponentOf,
  fromMajor,
  limitToMinor,
  MAX_MAJOR,
  MoneyError,
  money,
  subtract,
  toDecimal,
  toMajor,
} from './money.ts'

const MAX_MINOR = 99_999_999_999n
const currency = fc.constantFrom(...currencies)
const minor = fc.bigInt({ min: 1n, max: MAX_MINOR })

describe('fromMajor refuses', () => {
  test.each([
    [Number.NaN, 'not_an_amount'],
    [Number.POSITIVE_INFINITY, 'not_an_amount'],
    [Number.NEGATIVE_INFINITY, 'not_an_amount'],
    [0, 'out_of_range'],
    [-0, 'out_of_range'],
    [-0.01, 'out_of_range'],
    [1e21, 'out_of_range'],
    [1_000_000_000, 'out_of_range'],
    [999_999_999.991, 'out_of_range'],
    [1e-7, 'too_many_decimals'],
    [Number.MIN_VALUE, 'too_many_decimals'],
    [0.001, 'too_many_decimals'],
    [12.505, 'too_many_decimals'],
    [0.1 + 0.2, 'too_many_decimals'],
    [1.1 * 3, 'too_many_decimals'],
  ])('%d as %s', (amount, code) => {
    for (const each of currencies) {
      expect(() => fromMajor(amount, each)).toThrow(expect.objectContaining({ code }))
    }
  })
})

test('sums of different currencies are refused', () => {
  expect(() => add(money(1n, 'USD'), money(1n, 'ZWG'))).toThrow(MoneyError)
  expect(() => subtract(money(1n, 'USD'), money(1n, 'ZWG'))).toThrow(MoneyError)
  expect(equals(money(1n, 'USD'), money(1n, 'ZWG'))).toBe(false)
})

test.each([
  [0.29, 29n],
  [0.1, 10n],
  [1.1, 110n],
  [4.35, 435n],
  [1000, 100_000n],
  [999_999_999.99, MAX_MINOR],
])('%d is %s minor units', (amount, expected) => {
  expect(fromMajor(amount, 'USD')).toEqual(money(expected, 'USD'))
})

test('every amount that fits is converted back unchanged, through the number and through JSON', () => {
  fc.assert(
    fc.property(minor, currency, (amount, of) => {
      const value = money(amount, of)
      expect(fromMajor(toMajor(value), of)).toEqual(value)
      expect(fromMajor(JSON.parse(JSON.stringify(toMajor(value))), of)).toEqual(value)
    }),
    { numRuns: 1000 },
  )
})

test('decimal text has all decimals of its currency, below zero too', () => {
  expect(toDecimal(money(1250n, 'USD'))).toBe('12.50')
  expect(toDecimal(money(-5n, 'USD'))).toBe('-0.05')
  fc.assert(
    fc.property(fc.bigInt({ min: -MAX_MINOR, max: MAX_MINOR }), currency, (amount, of) => {
      const text = toDecimal(money(amount, of))
      expect(text.split('.')[1]).toHaveLength(exponentOf(of))
      expect(BigInt(text.replace('.', ''))).toBe(amount)
    }),
  )
})

test('no finite number becomes another amount than its own digits', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true }), (amount) => {
      let read: bigint
      try {
        read = fromMajor(amount, 'USD').minor
      } catch (error) {
        expect(error).toBeInstanceOf(MoneyError)
        return
      }
      expect(toMajor(money(read, 'USD'))).toBe(amount)
    }),
    { numRuns: 1000 },
  )
})

describe('a typed limit in minor units', () => {
  test.each([
    [0, 0n, 0n],
    [0.29, 29n, 29n],
    [0.291, 30n, 29n],
    [1e-7, 1n, 0n],
    [12, 1200n, 1200n],
    [MAX_MAJOR, MAX_MINOR, MAX_MINOR],
  ])('%d: at least %s, at most %s', (limit, atLeast, atMost) => {
    expect(limitToMinor(limit, 'at least')).toBe(atLeast)
    expect(limitToMinor(limit, 'at most')).toBe(atMost)
  })

  test('lets an amount through exactly when the amount is on its side', () => {
    fc.assert(
      fc.property(minor, fc.double({ min: 0, max: MAX_MAJOR, noNaN: true }), (amount, limit) => {
        const major = toMajor(money(amount, 'USD'))
        expect(amount >= limitToMinor(limit, 'at least')).toBe(major >= limit)
        expect(amount <= limitToMinor(limit, 'at most')).toBe(major <= limit)
      }),
      { numRuns: 1000 },
    )
  })
})

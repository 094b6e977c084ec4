import { describe, expect, test } from 'vitest'
import { readAmount } from './amount-input.ts'

describe('an amount', () => {
  const rest = { left: 2000, underWay: [] }

  test.each([
    ['15', 15],
    ['15.5', 15.5],
    ['15,50', 15.5],
    ['15.', 15],
    [',5', 0.5],
    [' 15 ', 15],
    ['$15', 15],
    ['USD 15.00', 15],
    ['usd15', 15],
    ['1,250', 1250],
    ['1,250.50', 1250.5],
    ['1.250,50', 1250.5],
    ['1 250', 1250],
    ['2000', 2000],
  ])('"%s" is %d', (text, amount) => {
    expect(readAmount(text, 'USD', rest)).toEqual({ amount, error: null })
  })

  test.each([
    ['12.505', 'amountDecimals'],
    ['1.250', 'amountDecimals'],
    ['12,505', 'amountTooHigh'],
    ['0', 'amountZero'],
    ['0,00', 'amountZero'],
    ['', 'amountInvalid'],
    ['ten', 'amountInvalid'],
    ['-5', 'amountInvalid'],
    ['1e3', 'amountInvalid'],
    ['ZWG5', 'amountInvalid'],
    ['2000.01', 'amountTooHigh'],
  ])('"%s" has the error %s', (text, error) => {
    expect(readAmount(text, 'USD', rest)).toMatchObject({ amount: null, error })
  })

  test('that is incomplete has no error while it is typed', () => {
    const early = ['', '0', '0.', '0.0'].map((text) => readAmount(text, 'USD', rest))
    expect(early.every((reading) => reading.error !== null && reading.early)).toBe(true)
    expect(readAmount('x', 'USD', rest)).toMatchObject({ early: false })
  })

  test('in progress may be requested again, and no other amount above the remaining one', () => {
    const some = { left: 2, underWay: [5] }
    expect(readAmount('5', 'USD', some)).toMatchObject({ amount: 5 })
    expect(readAmount('4', 'USD', some)).toMatchObject({ error: 'amountTooHigh' })
  })
})

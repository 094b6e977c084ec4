import { expect, test } from 'vitest'
import { readAmount } from './amounts.ts'

test.each(['', ' ', '-1', '+1', '1,000', '1.', '.5', '0x10', 'NaN', '12.505', '1e-2', '1e400', '0.001'])(
  '%j is no amount',
  (text) => {
    expect(readAmount(text, 'USD')).toBeNull()
  },
)

test.each([
  ['12.5', 1250n],
  ['12.50', 1250n],
  ['12.500', 1250n],
  ['1250', 125_000n],
  ['0.01', 1n],
  ['0', 0n],
  ['1.0E7', 1_000_000_000n],
  ['90071992547409.93', 9_007_199_254_740_993n],
])('%s is %s cents', (text, minor) => {
  expect(readAmount(text, 'USD')?.minor).toBe(minor)
})

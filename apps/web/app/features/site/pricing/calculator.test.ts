import { feeFor, pricedMethods } from '@muripo/contract/pricing'
import { sitePages } from '@muripo/locales/site'
import { expect, test } from 'vitest'
import { costsOf } from './calculator.tsx'

const feesOf = (typed: string) => {
  const result = costsOf(typed)
  return 'costs' in result ? result.costs.map(({ fee, left }) => [fee, left]) : sitePages[result.problem]
}

test('the fee of 25 dollars equals the ledger’s, to the cent, for each method', () => {
  // 2.9% of 25 is 72.5 cents, 1.5% is 37.5, 3.5% is 87.5: halves go to the even cent.
  expect(feesOf('25')).toEqual([
    ['$1.02', '$23.98'],
    ['$0.63', '$24.37'],
    ['$1.28', '$23.72'],
    ['$0.45', '$24.55'],
  ])
  expect(pricedMethods.map((method) => feeFor(method, { minor: 2500n, currency: 'USD' }).minor)).toEqual([
    102n,
    63n,
    128n,
    45n,
  ])
})

test.each(['25', ' $25 ', '25.', '25.00'])('%s is parsed', (typed) => {
  expect(feesOf(typed)).toEqual(feesOf('25.0'))
})

test('thousands are grouped in the input and in the result', () => {
  expect(feesOf('$1,234,567.89')).toEqual(feesOf('1234567.89'))
  expect(feesOf('1234567.89')[0]).toEqual(['$35,802.77', '$1,198,765.12'])
})

test.each([
  ['', 'Type an amount, such as 25'],
  ['0', 'The amount must be greater than 0'],
  ['-5', 'The amount must be a number'],
  ['a lot', 'The amount must be a number'],
  ['1e3', 'The amount must be a number'],
  ['1.005', 'The amount must have at most 2 decimals in USD'],
  ['9999999999', 'The amount must be at most 999,999,999.99'],
])('%j has an error', (typed, problem) => {
  expect(feesOf(typed)).toBe(problem)
})

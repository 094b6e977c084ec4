import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { paymentMethods } from './enums.ts'
import { currencies, MAX_MAJOR, money } from './money.ts'
import {
  displayPrice,
  feeAt,
  feeFor,
  feeForPayment,
  type PricedMethod,
  pricedMethods,
  pricing,
} from './pricing.ts'

const usd = (minor: bigint) => money(minor, 'USD')

describe('the displayed prices', () => {
  test.each([
    ['PRICE-04', 'creditCards', '2.9% + $0.30'],
    ['PRICE-05', 'bankTransfers', '1.5% + $0.25'],
    ['PRICE-06', 'mobileMoney', '3.5% + $0.40'],
    ['PRICE-07', 'cryptocurrency', '1.0% + $0.20'],
  ] as const)('[%s] %s costs %s', (_id, method, text) => {
    expect(displayPrice(pricing[method])).toBe(text)
  })

  test.each([
    [285, 5n, '2.85% + $0.05'],
    [5, 1234n, '0.05% + $12.34'],
    [1000, 0n, '10.0% + $0.00'],
  ])('writes %s basis points and %s as %s', (feeBps, fixedMinor, text) =>
    expect(displayPrice({ feeBps, fixedMinor })).toBe(text),
  )

  test('[PRICE-01] there are four methods, in the order of the tabs', () => {
    expect(pricedMethods).toEqual(['creditCards', 'bankTransfers', 'mobileMoney', 'cryptocurrency'])
  })

  test('[PRICE-02] every method lists features, none twice', () => {
    for (const { features } of Object.values(pricing)) {
      expect(features.length).toBeGreaterThan(2)
      expect(new Set(features).size).toBe(features.length)
    }
  })
})

describe('feeFor', () => {
  test.each<[PricedMethod, bigint, bigint]>([
    ['creditCards', 2500n, 102n], // 72.5 goes to the even 72, and 30
    ['creditCards', 100_000n, 2930n],
    ['bankTransfers', 2500n, 63n], // 37.5 goes to the even 38, and 25
    ['bankTransfers', 100_000n, 1525n],
    ['mobileMoney', 2500n, 128n], // 87.5 goes to the even 88, and 40
    ['mobileMoney', 100n, 44n], // 3.5 goes to the even 4, and 40
    ['mobileMoney', 300n, 50n], // 10.5 goes to the even 10, and 40
    ['cryptocurrency', 149n, 21n],
    ['cryptocurrency', 150n, 22n], // 1.5 goes to the even 2
    ['cryptocurrency', 250n, 22n], // 2.5 goes to the even 2
    ['cryptocurrency', 251n, 23n],
  ])('of %s for %s minor units is %s', (method, amount, fee) => {
    expect(feeFor(method, usd(amount))).toEqual(usd(fee))
  })

  test('takes no more than the amount', () => {
    expect(feeFor('mobileMoney', usd(40n))).toEqual(usd(40n))
    expect(feeFor('mobileMoney', usd(1n))).toEqual(usd(1n))
    expect(feeFor('mobileMoney', usd(0n))).toEqual(usd(0n))
  })

  test('the fixed part is the same figure in every currency, but for those that have their own', () => {
    expect(feeFor('mobileMoney', money(10_000n, 'ZAR'))).toEqual(money(390n, 'ZAR'))
    const price = { ...pricing.mobileMoney, fixedMinorIn: { ZAR: 750n } }
    expect(feeAt(price, money(10_000n, 'ZAR'))).toEqual(money(1100n, 'ZAR'))
    expect(feeAt(price, usd(10_000n))).toEqual(usd(390n))
  })

  test('a wallet pays as mobile money and a card as a card', () => {
    const fees = paymentMethods.map((method) => [method, feeForPayment(method, usd(2500n)).minor])
    expect(fees).toEqual([
      ['ecocash', 128n],
      ['innbucks', 128n],
      ['onemoney', 128n],
      ['visa', 102n],
    ])
  })

  test('refuses a negative amount', () => {
    expect(() => feeFor('creditCards', usd(-1n))).toThrow('negative')
  })

  const maxMinor = BigInt(Math.round(MAX_MAJOR * 100))
  const anAmount = fc
    .tuple(fc.bigInt({ min: 0n, max: maxMinor }), fc.constantFrom(...currencies))
    .map(([minor, currency]) => money(minor, currency))
  const aMethod = fc.constantFrom(...pricedMethods)

  test('keeps the currency, stays between zero and the amount, and is off by at most half a unit', () => {
    fc.assert(
      fc.property(aMethod, anAmount, (method, amount) => {
        const fee = feeFor(method, amount)
        expect(fee.currency).toBe(amount.currency)
        expect(fee.minor >= 0n && fee.minor <= amount.minor).toBe(true)
        const { feeBps, fixedMinor } = pricing[method]
        const off = (fee.minor - fixedMinor) * 10_000n - amount.minor * BigInt(feeBps)
        expect(fee.minor === amount.minor || (off <= 5000n && off >= -5000n)).toBe(true)
      }),
    )
  })

  test('never falls when the amount grows', () => {
    fc.assert(
      fc.property(aMethod, anAmount, fc.bigInt({ min: 0n, max: 10_000n }), (method, amount, more) => {
        const larger = money(amount.minor + more, amount.currency)
        expect(feeFor(method, larger).minor >= feeFor(method, amount).minor).toBe(true)
      }),
    )
  })
})

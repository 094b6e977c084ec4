import { add, type Currency, type Money, MoneyError, money, shareOf } from './amounts.ts'
import type { PaymentMethod } from './enums.ts'

export interface Price {
  readonly label: string
  /** Basis points, hundredths of a percent, of the amount. */
  readonly feeBps: number
  /** The fixed part of each fee, in minor units of the payment's own currency: 40 is $0.40 and R0.40. */
  readonly fixedMinor: bigint
  /** Currencies with another fixed part. */
  readonly fixedMinorIn?: Readonly<Partial<Record<Currency, bigint>>>
  readonly features: readonly string[]
}

/** Muripo's prices for merchants: the pricing page shows these figures and the fees are computed from them. */
export const pricing = {
  creditCards: {
    label: 'Credit Cards',
    feeBps: 290,
    fixedMinor: 30n,
    features: ['cards_accepted', 'cards_authentication', 'instant_confirmation', 'refund_from_dashboard'],
  },
  bankTransfers: {
    label: 'Bank Transfers',
    feeBps: 150,
    fixedMinor: 25n,
    features: ['bank_large_amounts', 'bank_reference', 'settlement_time', 'exportable_records'],
  },
  mobileMoney: {
    label: 'Mobile Money',
    feeBps: 350,
    fixedMinor: 40n,
    features: ['wallets_accepted', 'wallet_pin_prompt', 'instant_confirmation', 'refund_from_dashboard'],
  },
  cryptocurrency: {
    label: 'Cryptocurrency',
    feeBps: 100,
    fixedMinor: 20n,
    features: ['crypto_lowest_fee', 'crypto_no_chargebacks', 'settlement_time', 'exportable_records'],
  },
} as const satisfies Record<string, Price>

export type PricedMethod = keyof typeof pricing
export type PriceFeature = (typeof pricing)[PricedMethod]['features'][number]
export const pricedMethods = Object.keys(pricing) as PricedMethod[]

/** The price category of each payment method. */
const pricedAs = {
  ecocash: 'mobileMoney',
  innbucks: 'mobileMoney',
  onemoney: 'mobileMoney',
  visa: 'creditCards',
} as const satisfies Record<PaymentMethod, PricedMethod>

export const feeForPayment = (method: PaymentMethod, amount: Money): Money => feeFor(pricedAs[method], amount)

/**
 * The fee for a payment of `amount`: its share, halves rounded to the even unit, and the fixed part; never more than the amount.
 * @throws MoneyError when the amount is negative.
 */
export const feeFor = (method: PricedMethod, amount: Money): Money => feeAt(pricing[method], amount)

export function feeAt({ feeBps, fixedMinor, fixedMinorIn }: Price, amount: Money): Money {
  if (amount.minor < 0n) throw new MoneyError('out_of_range', 'A negative amount has no fee')
  const fixed = money(fixedMinorIn?.[amount.currency] ?? fixedMinor, amount.currency)
  const fee = add(shareOf(amount, feeBps), fixed)
  return fee.minor < amount.minor ? fee : amount
}

/** The form of the pricing page: "2.9% + $0.30". */
export function displayPrice({ feeBps, fixedMinor }: Pick<Price, 'feeBps' | 'fixedMinor'>): string {
  const percent = `${Math.floor(feeBps / 100)}.${String(feeBps % 100)
    .padStart(2, '0')
    .replace(/0$/, '')}`
  return `${percent}% + $${fixedMinor / 100n}.${String(fixedMinor % 100n).padStart(2, '0')}`
}

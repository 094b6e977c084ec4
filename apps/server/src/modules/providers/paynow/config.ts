import type { Currency } from '@muripo/contract/money'

/** An integration at Paynow. It has one currency, which no message names. */
export interface Integration {
  readonly id: string
  readonly key: string
}

export const paynowCurrencies = ['USD', 'ZWG'] as const satisfies readonly Currency[]
export type PaynowCurrency = (typeof paynowCurrencies)[number]

/** The integration that a message belongs to. */
export interface Owner extends Integration {
  readonly currency: PaynowCurrency
}

/** Paynow's numbers for tests of every wallet. */
export const paynowTestNumbers = ['077 111 1111', '077 222 2222', '077 333 3333', '077 444 4444'] as const

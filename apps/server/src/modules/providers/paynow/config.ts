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

export interface PaynowConfig {
  /** The address above `/interface`. */
  readonly baseUrl: string
  readonly integrations: Readonly<Partial<Record<PaynowCurrency, Integration>>>
  /** The merchant's address at Paynow, for payers without an address and for every payment in test mode. */
  readonly email: string
  /** The integrations are in test mode, in which Paynow decides by the number and accepts no address but the merchant's. */
  readonly testMode: boolean
  /** The only numbers that a test account may prompt; null: any. */
  readonly testNumbers: readonly string[] | null
}

/** Paynow's numbers for tests of every wallet. */
export const paynowTestNumbers = ['077 111 1111', '077 222 2222', '077 333 3333', '077 444 4444'] as const

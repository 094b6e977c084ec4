import type { Currency } from '@muripo/contract/money'
import type { PaymentMethod } from '@muripo/contract/payments'

export const pesepayCurrencies = ['USD', 'ZWG'] as const satisfies readonly Currency[]
type PesepayCurrency = (typeof pesepayCurrencies)[number]

/** The credentials of an application in Pesepay's dashboard. */
export interface PesepayConfig {
  /** The address of the payments engine. */
  readonly baseUrl: string
  readonly integrationKey: string
  /** 32 characters, whose first 16 are the initialisation vector too. */
  readonly encryptionKey: string
  /** The currencies of the account. */
  readonly currencies: readonly PesepayCurrency[]
  /** Pesepay's codes of the wallets, which differ by currency. A wallet without a code is not taken in the currency. */
  readonly walletCodes: Readonly<Record<Wallet, Readonly<Partial<Record<Currency, string>>>>>
  /** The only numbers that a test account may prompt; null: any. */
  readonly testNumbers: readonly string[] | null
}

/** The wallets that Pesepay asks by the payer's phone number, without its page. */
export const walletNames = ['ecocash', 'innbucks'] as const satisfies readonly PaymentMethod[]
export type Wallet = (typeof walletNames)[number]

export const walletOf = (method: PaymentMethod): Wallet | null =>
  walletNames.find((name) => name === method) ?? null

/** Pesepay's names of the currencies. */
export const wireNames: Readonly<Record<PesepayCurrency, string>> = { USD: 'USD', ZWG: 'ZiG' }

/** The currency of a name, in any case; ZWG is the standard's own name. Null for another currency. */
export function currencyOf(name: string | null): PesepayCurrency | null {
  const upper = name?.trim().toUpperCase()
  return (
    pesepayCurrencies.find((currency) => currency === upper || wireNames[currency].toUpperCase() === upper) ??
    null
  )
}

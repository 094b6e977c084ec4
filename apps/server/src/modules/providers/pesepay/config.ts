import type { Currency } from '@muripo/contract/money'
import type { PaymentMethod } from '@muripo/contract/payments'

export const pesepayCurrencies = ['USD', 'ZWG'] as const satisfies readonly Currency[]
type PesepayCurrency = (typeof pesepayCurrencies)[number]

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

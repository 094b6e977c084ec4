import type { Currency } from '@muripo/contract/money'

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
  readonly timeoutMs?: number
}

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

import type { Currency } from '@muripo/contract/money'

/** What EcoCash hands a merchant when it joins. */
export interface EcocashConfig {
  /** Up to and with `/payment/v1`; EcoCash gives it in writing for each deployment. */
  readonly baseUrl: string
  readonly username: string
  readonly password: string
  readonly merchantCode: string
  readonly merchantPin: string
  readonly merchantNumber: string
  readonly location?: string
  /** Where a deployment spells a currency its own way, as an older integration does with `USD-FCA`. */
  readonly currencyCodes?: Partial<Record<Currency, string>>
  readonly timeoutMs?: number
  /** The only numbers that are rung, for an account that is for tests; null: any. */
  readonly testNumbers?: readonly string[] | null
}

export const ecocashCurrencies = ['USD', 'ZWG'] as const satisfies readonly Currency[]
type EcocashCurrency = (typeof ecocashCurrencies)[number]

export const isEcocashCurrency = (currency: Currency): currency is EcocashCurrency =>
  (ecocashCurrencies as readonly Currency[]).includes(currency)

export const currencyCode = (config: EcocashConfig, currency: EcocashCurrency): string =>
  config.currencyCodes?.[currency] ?? currency

/** Other spellings that have been seen on the wire or stand in ISO 4217. */
const spellings: Record<EcocashCurrency, readonly string[]> = {
  USD: ['USD', 'USD-FCA', '840'],
  ZWG: ['ZWG', 'ZIG', '924'],
}

export function readCurrency(config: EcocashConfig, code: string): EcocashCurrency | null {
  const own = ecocashCurrencies.find((currency) => config.currencyCodes?.[currency] === code)
  if (own !== undefined) return own
  return ecocashCurrencies.find((currency) => spellings[currency].includes(code.toUpperCase())) ?? null
}

import type { Currency } from '@muripo/contract/money'
import type { EcocashConfig } from './settings.ts'

export const ecocashCurrencies = ['USD', 'ZWG'] as const satisfies readonly Currency[]
type EcocashCurrency = (typeof ecocashCurrencies)[number]

export const isEcocashCurrency = (currency: Currency): currency is EcocashCurrency =>
  (ecocashCurrencies as readonly Currency[]).includes(currency)

export const currencyCode = (config: EcocashConfig, currency: EcocashCurrency): string =>
  config.currencyCodes?.[currency] ?? currency

/** Other codes that gateways have sent, or that ISO 4217 contains. */
const spellings: Record<EcocashCurrency, readonly string[]> = {
  USD: ['USD', 'USD-FCA', '840'],
  ZWG: ['ZWG', 'ZIG', '924'],
}

export function readCurrency(config: EcocashConfig, code: string): EcocashCurrency | null {
  const own = ecocashCurrencies.find((currency) => config.currencyCodes?.[currency] === code)
  if (own !== undefined) return own
  return ecocashCurrencies.find((currency) => spellings[currency].includes(code.toUpperCase())) ?? null
}

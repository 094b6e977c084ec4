import type { Currency } from '@muripo/contract/money'

/** REF is the refund, and REV the reversal. Both take the reference of the charge and an amount of at most the charge. */
export const refundTypes = ['REF', 'REV'] as const
export type RefundType = (typeof refundTypes)[number]

/** The settings that EcoCash gives to a merchant. */
export interface EcocashConfig {
  /** The address up to and including `/payment/v1`; EcoCash states it for each deployment. */
  readonly baseUrl: string
  readonly username: string
  readonly password: string
  readonly merchantCode: string
  readonly merchantPin: string
  readonly merchantNumber: string
  readonly location?: string
  /** The wallet's code that opens a pending prompt. */
  readonly dialIn?: string | undefined
  /** The operation by which a refund is requested; REF unless the contract names the reversal. */
  readonly refundType?: RefundType
  /** Currency codes of deployments that differ, such as `USD-FCA` of an older integration. */
  readonly currencyCodes?: Partial<Record<Currency, string>>
  /** The only numbers that a test account may prompt; null: any. */
  readonly testNumbers?: readonly string[] | null
}

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

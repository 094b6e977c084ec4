import type { Currency } from '@muripo/contract/money'
import { entryOf } from '../texts.ts'

/** The application that a merchant registers in EcoCash's developer portal. */
export interface EcocashOpenConfig {
  /** The address above `/api/v1` and `/api/v2`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** The last part of every path: sandbox moves no money. */
  readonly environment: 'sandbox' | 'live'
  /** Sent in the header `Merchant`, which some integrations need; null: no such header. */
  readonly merchantCode: string | null
  /** The code of ZWG on the wire, which differs between integrations. */
  readonly zwgCode: 'ZWG' | 'ZiG'
  /** The reference of the original payment in a refund: integrations differ. */
  readonly refundReference: 'ecocashReference' | 'sourceReference'
  /** The only numbers that a test account may prompt; null: any. */
  readonly testNumbers: readonly string[] | null
}

export const ecocashOpenCurrencies = ['USD', 'ZWG'] as const satisfies readonly Currency[]
type EcocashOpenCurrency = (typeof ecocashOpenCurrencies)[number]

const isTaken = (currency: Currency): currency is EcocashOpenCurrency =>
  (ecocashOpenCurrencies as readonly Currency[]).includes(currency)

/** Null for a currency that EcoCash does not take. */
export const currencyCode = ({ zwgCode }: EcocashOpenConfig, currency: Currency): string | null =>
  isTaken(currency) ? { USD: 'USD', ZWG: zwgCode }[currency] : null

const spellings: Readonly<Record<string, EcocashOpenCurrency>> = {
  USD: 'USD',
  840: 'USD',
  ZWG: 'ZWG',
  ZIG: 'ZWG',
  924: 'ZWG',
}

/** Null for an unknown code. */
export function readCurrency(code: string): EcocashOpenCurrency | null {
  return entryOf(spellings, code.trim().toUpperCase()) ?? null
}

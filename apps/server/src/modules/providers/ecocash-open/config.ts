import type { Currency } from '@muripo/contract/money'
import { entryOf } from '../texts.ts'
import type { EcocashOpenConfig } from './settings.ts'

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

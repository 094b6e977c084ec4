import { type Currency, fromMajor, MoneyError } from '@muripo/contract/money'

/** 0771000001, 771000001, +263771000001 or 263771000001 as 263771000001; null for anything else. */
export function readNumber(text: string): string | null {
  const digits = text.replaceAll(/[\s()+\-.]/g, '')
  const match = /^(?:263|0)?(7\d{8})$/.exec(digits)
  return match === null ? null : `263${match[1]}`
}

/** An amount in major units as minor ones; null when the currency has no such amount. */
export function readMinor(amount: number, currency: Currency): number | null {
  try {
    return Number(fromMajor(amount, currency).minor)
  } catch (error) {
    if (error instanceof MoneyError) return null
    throw error
  }
}

import { type Currency, currencies, fromMajor, MoneyError } from '@muripo/contract/money'
import { z } from 'zod'

/** An amount in major units. */
export const Amount = z.union([z.number(), z.string().regex(/^\d+(\.\d+)?$/)])

export function minorOf(amount: number | string, code: string): { minor: number; currency: Currency } | null {
  const currency = currencies.find((each) => each === code)
  if (currency === undefined) return null
  try {
    return { minor: Number(fromMajor(Number(amount), currency).minor), currency }
  } catch (error) {
    if (error instanceof MoneyError) return null
    throw error
  }
}

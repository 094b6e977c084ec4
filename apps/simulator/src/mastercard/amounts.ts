import { type Currency, currencies } from '@muripo/contract/money'
import { z } from 'zod'
import { readMinor } from '../request-fields.ts'

/** An amount in major units. */
export const Amount = z.union([z.number(), z.string().regex(/^\d+(\.\d+)?$/)])

export function minorOf(amount: number | string, code: string): { minor: number; currency: Currency } | null {
  const currency = currencies.find((each) => each === code)
  const minor = currency && readMinor(Number(amount), currency)
  return currency === undefined || typeof minor !== 'number' ? null : { minor, currency }
}

import { type Currency, currencies, type Money } from '@muripo/contract/money'
import { z } from 'zod'
import { readAmount } from './amounts.ts'
import type { AmountLimits, Connector, LimitsByCurrency } from './connector.ts'

/** A limit that an amount is below or above. */
export interface PassedLimit {
  readonly kind: 'least' | 'most'
  readonly amount: Money
}

/** The limit of the connector that the amount is outside of; null when the connector takes the amount. */
export function passedLimit(
  { limits }: Pick<Connector, 'limits'>,
  { minor, currency }: Money,
): PassedLimit | null {
  const { least, most } = limits?.[currency] ?? { least: null, most: null }
  if (least && minor < least.minor) return { kind: 'least', amount: least }
  return most && minor > most.minor ? { kind: 'most', amount: most } : null
}

/** The limit of a route that none of its connectors lets the amount pass: the one that is nearest to the amount. */
export function passedLimitOf(route: readonly Connector[], amount: Money): PassedLimit | null {
  const distance = (limit: PassedLimit) => Math.abs(Number(limit.amount.minor - amount.minor))
  const passed = route.flatMap((connector) => passedLimit(connector, amount) ?? [])
  return passed.toSorted((one, other) => distance(one) - distance(other))[0] ?? null
}

const entry = /^([A-Z]{3}) ([\d.]*)-([\d.]*)$/

function readEntry(text: string): readonly [Currency, AmountLimits] | null {
  const [, code, from = '', to = ''] = entry.exec(text.trim()) ?? []
  const currency = currencies.find((each) => each === code)
  if (currency === undefined || from + to === '') return null
  const least = from === '' ? null : readAmount(from, currency)
  const most = to === '' ? null : readAmount(to, currency)
  const isRead = (least !== null || from === '') && (most !== null || to === '')
  return isRead && !(least && most && least.minor > most.minor) ? [currency, { least, most }] : null
}

/** A setting such as `USD 1-500, ZWG 20-`. */
export const limitSetting = z
  .string()
  .transform((text) => text.split(',').map(readEntry))
  .refine((entries) => !entries.includes(null), 'must be amounts by currency, such as "USD 1-500, ZWG 20-"')
  .transform((entries): LimitsByCurrency => Object.fromEntries(entries.filter((each) => each !== null)))
  .optional()

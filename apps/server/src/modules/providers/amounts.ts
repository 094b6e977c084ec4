import { exponentOf, type Money, money } from '@muripo/contract/money'

const decimal = /^(\d{1,20})(?:\.(\d{1,20}))?(?:[eE]\+?(\d{1,2}))?$/

/** A major amount as the provider wrote it, "12.5" or 12.50 or Java's 1.0E7, in exact minor units; null when the text is no amount. */
export function readAmount(text: string, currency: Money['currency']): Money | null {
  const match = decimal.exec(text.trim())
  const whole = match?.[1]
  if (match === null || whole === undefined) return null
  const fraction = match[2] ?? ''
  const shift = exponentOf(currency) + Number(match[3] ?? 0) - fraction.length
  const digits = whole + fraction
  if (shift >= 0) return money(BigInt(digits + '0'.repeat(shift)), currency)
  const digitCount = digits.length + shift
  const rest = digits.slice(Math.max(digitCount, 0))
  return /^0*$/.test(rest) ? money(BigInt(digits.slice(0, Math.max(digitCount, 0)) || '0'), currency) : null
}

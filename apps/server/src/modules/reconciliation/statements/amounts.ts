/** The reason why a cell, a row or an element cannot be read. */
export class Unreadable extends Error {}

const decimalsByCurrency = new Map<string, number>()

/** The decimals of a currency, also of those in which no payment is made: banks have accounts in them. A format takes long to make. */
export function decimalsOf(currency: string): number {
  const decimals =
    decimalsByCurrency.get(currency) ??
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ??
    2
  decimalsByCurrency.set(currency, decimals)
  return decimals
}

export function decimalText(minor: bigint, currency: string): string {
  const decimals = decimalsOf(currency)
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0')
  const [whole, fraction] = [
    digits.slice(0, digits.length - decimals),
    digits.slice(digits.length - decimals),
  ]
  return `${minor < 0n ? '-' : ''}${whole}${decimals === 0 ? '' : `.${fraction}`}`
}

export interface AmountStyle {
  readonly decimal: '.' | ','
  readonly thousands: '' | ' ' | ',' | '.' | "'"
  readonly currency: string
}

const MOST_LENGTH = 40
/** The digits that fit into the database's integers with room for sums. */
const MOST_DIGITS = 17

/**
 * Reads an amount as statements print it: with a sign before or after it, in brackets, with CR or DR, with the currency beside it.
 * @throws Unreadable for anything else, and for more decimals than the currency has
 */
export function readAmount(cell: string, { decimal, thousands, currency }: AmountStyle): bigint {
  const unreadable = new Unreadable(`"${cell.slice(0, MOST_LENGTH)}" is not an amount in ${currency}`)
  if (cell.length > MOST_LENGTH) throw unreadable
  let text = cell.replace(/[\s\u00a0\u202f]+/g, ' ').trim()
  let sign = 1n
  const without = (pattern: RegExp, negative: boolean): void => {
    if (!pattern.test(text)) return
    text = text.replace(pattern, '').trim()
    if (negative) sign = -sign
  }
  if (text.startsWith('(') && text.endsWith(')')) {
    text = text.slice(1, -1).trim()
    sign = -1n
  }
  without(/ ?CR$/i, false)
  without(/ ?DR$/i, true)
  const [code] = /^[A-Z]{3}(?= ?[-+\d])|(?<=\d ?)[A-Z]{3}$/.exec(text) ?? []
  if (code !== undefined && code !== currency)
    throw new Unreadable(`the currency is ${code} and not ${currency}`)
  if (code !== undefined) text = text.replace(code, '').trim()
  without(/^\+/, false)
  without(/^[-\u2212]/, true)
  without(/-$/, true)
  const [whole = '', fraction = '', ...others] = text.split(decimal)
  const groups = thousands === '' ? [whole] : whole.split(thousands)
  const isGrouped = groups.every((group, index) => (index === 0 ? /^\d{1,3}$/ : /^\d{3}$/).test(group))
  if (others.length > 0 || !/^\d*$/.test(fraction) || !(groups.length > 1 ? isGrouped : /^\d+$/.test(whole)))
    throw unreadable
  const decimals = decimalsOf(currency)
  // Some statements print more decimals than the currency has, all of them zeros.
  const [kept, rest] = [fraction.slice(0, decimals), fraction.slice(decimals)]
  const digits = groups.join('') + kept.padEnd(decimals, '0')
  if (/[1-9]/.test(rest) || digits.length > MOST_DIGITS) throw unreadable
  return sign * BigInt(digits)
}

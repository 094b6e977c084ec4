/** Decimal places as in ISO 4217. Other currencies are not supported. */
const exponents = {
  USD: 2,
  ZWG: 2,
  ZAR: 2,
  BWP: 2,
  GBP: 2,
  EUR: 2,
} as const

export type Currency = keyof typeof exponents
export const currencies = Object.keys(exponents) as Currency[]

/** An amount in integer minor units (cents) and its currency: the only form in which money is computed or stored. */
export interface Money {
  readonly minor: bigint
  readonly currency: Currency
}

export class MoneyError extends Error {
  readonly code: 'currency_mismatch' | 'not_an_amount' | 'too_many_decimals' | 'out_of_range'
  constructor(code: MoneyError['code'], message: string) {
    super(message)
    this.code = code
  }
}

export const exponentOf = (currency: Currency): number => exponents[currency]

export const money = (minor: bigint, currency: Currency): Money => ({ minor, currency })

/** The largest amount on the wire, in major units. */
export const MAX_MAJOR = 999_999_999.99

/**
 * Reads a wire amount, a JSON number in major units (12.5), into minor units (1250n).
 * It goes through the shortest decimal text of the number, which is exact for up to 15 digits: no arithmetic on floats.
 * @throws MoneyError when the number is not finite, not positive, too large, or has more decimals than the currency.
 */
export function fromMajor(major: number, currency: Currency): Money {
  if (!Number.isFinite(major)) throw new MoneyError('not_an_amount', 'The amount must be a number')
  if (major <= 0) throw new MoneyError('out_of_range', 'The amount must be greater than 0')
  if (major > MAX_MAJOR) throw new MoneyError('out_of_range', 'The amount must be at most 999,999,999.99')
  const exponent = exponentOf(currency)
  const match = /^(\d+)(?:\.(\d+))?$/.exec(String(major))
  const [whole, fraction] = [match?.[1], match?.[2] ?? '']
  if (whole === undefined || fraction.length > exponent) {
    throw new MoneyError(
      'too_many_decimals',
      `The amount must have at most ${exponent} decimals in ${currency}`,
    )
  }
  return money(BigInt(whole + fraction.padEnd(exponent, '0')), currency)
}

/**
 * A limit that a person entered, in minor units at two decimals, rounded so that it admits no more than was entered.
 * @param major a number that is not negative, at most MAX_MAJOR
 */
export function limitToMinor(major: number, kind: 'at least' | 'at most'): bigint {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(String(major))
  // Numbers below a millionth are written with an exponent; as a limit they equal zero.
  if (!match?.[1]) return kind === 'at least' && major > 0 ? 1n : 0n
  const fraction = match[2] ?? ''
  const minor = BigInt(match[1] + fraction.slice(0, 2).padEnd(2, '0'))
  return kind === 'at least' && /[1-9]/.test(fraction.slice(2)) ? minor + 1n : minor
}

/** Decimal text in major units with all decimals: 1250n USD is "12.50". */
export function toDecimal({ minor, currency }: Money): string {
  const exponent = exponentOf(currency)
  const sign = minor < 0n ? '-' : ''
  const digits = (minor < 0n ? -minor : minor).toString().padStart(exponent + 1, '0')
  const split = digits.length - exponent
  return exponent === 0 ? sign + digits : `${sign}${digits.slice(0, split)}.${digits.slice(split)}`
}

/** The places between groups of three digits before the decimal point. */
const thousands = /\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g

/** The text of an amount for a reader: "USD 1,250.00". */
export const priceText = (currency: Currency, decimal: string): string =>
  `${currency} ${decimal.replace(thousands, ',')}`

/** The JSON number of an amount in major units; exact up to 15 digits. */
export const toMajor = (value: Money): number => Number(toDecimal(value))

function sameCurrency(a: Money, b: Money): Currency {
  if (a.currency !== b.currency) {
    throw new MoneyError('currency_mismatch', `${a.currency} and ${b.currency} cannot be combined`)
  }
  return a.currency
}

export const add = (a: Money, b: Money): Money => money(a.minor + b.minor, sameCurrency(a, b))
export const subtract = (a: Money, b: Money): Money => money(a.minor - b.minor, sameCurrency(a, b))
export const equals = (a: Money, b: Money): boolean => a.minor === b.minor && a.currency === b.currency

const BPS = 10_000n

/** A number of basis points (hundredths of a percent) of an amount; halves are rounded to the even unit. The amount is not negative. */
export const shareOf = (amount: Money, bps: number): Money =>
  money(divideHalfEven(amount.minor * BigInt(bps), BPS), amount.currency)

function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  const twiceRest = 2n * (dividend % divisor)
  const isUp = twiceRest > divisor || (twiceRest === divisor && quotient % 2n === 1n)
  return isUp ? quotient + 1n : quotient
}

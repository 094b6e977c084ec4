import { cleanPhone, inOneLine, withoutMarks } from '@muripo/contract/typed-text'

/** A search for people and purposes, beside the search for an id. */
export interface SearchTerms {
  /** The beginning of a name, a surname, a purpose or a reference. The database compares it in lower case. */
  readonly text: string
  /** Beginnings of phone numbers in E.164; none for a text that is no number. */
  readonly numbers: readonly string[]
  /** The number of last digits of these beginnings that were typed. */
  readonly typedDigits: number
  /** A number that is too long to be a fragment of an id that somebody types. */
  readonly isWholeNumber: boolean
}

/** Shorter texts are the beginnings of too many names. */
const MIN_LETTERS = 3
const MIN_DIGITS = 4
const MANY_DIGITS = 9
const writtenNumber = /^\+?[\d ().\-/]+$/
const countryCode = '263'

/** Null for a text that is searched in ids only. */
export function readTerms(typed: string): SearchTerms | null {
  const text = inOneLine(withoutMarks(typed.normalize('NFC')))
  if ([...text].length < MIN_LETTERS) return null
  const phone = cleanPhone(typed)
  const digits = phone.replace(/\D/g, '')
  const isNumber = writtenNumber.test(phone) && digits.length >= MIN_DIGITS
  return {
    text,
    numbers: isNumber ? numbersOf(digits, phone.startsWith('+')) : [],
    typedDigits: digits.replace(/^0+/, '').replace(/^2630/, countryCode).length,
    isWholeNumber: isNumber && digits.length >= MANY_DIGITS,
  }
}

/**
 * The beginnings that the digits may have meant: a number without its country code is Zimbabwean, and begins with a zero or without it.
 * People also write the zero after the country code, +263 (0)77.
 */
function numbersOf(digits: string, hasPlus: boolean): string[] {
  if (!hasPlus && digits.startsWith('00')) return numbersOf(digits.slice(2), true)
  if (digits.startsWith('0')) return [`+${countryCode}${digits.slice(1)}`]
  const international = `+${digits.replace(/^2630/, countryCode)}`
  return hasPlus || digits.startsWith(countryCode)
    ? [international]
    : [international, `+${countryCode}${digits}`]
}

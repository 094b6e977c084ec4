import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

const written = /^[+\d\s().\-‐‑‒–/]{9,32}$/
const zimbabweanMobile = /^2637\d{8}$/

/**
 * Reads a Zimbabwean mobile number as people write it (077 100 0001, +263 77 1000001, 263771000001, 771000001) into the digits that
 * providers take, 263771000001. Null for anything else: letters and extensions are refused rather than read around.
 */
export function toMsisdn(text: string): string | null {
  const trimmed = text.trim()
  if (!written.test(trimmed)) return null
  const digits = parsePhoneNumberFromString(trimmed, { defaultCountry: 'ZW', extract: false })?.number.slice(
    1,
  )
  return digits !== undefined && zimbabweanMobile.test(digits) ? digits : null
}

/** What a screen or a log may show of a number: 263771234567 is "077 *** 4567". */
export function displayNumber(msisdn: string): string {
  return zimbabweanMobile.test(msisdn) ? `0${msisdn.slice(3, 5)} *** ${msisdn.slice(-4)}` : '***'
}

/** What a test key is told that names another. */
export const onlyTestNumbers = (numbers: readonly string[]): string =>
  `A test key rings test numbers only: ${numbers.join(', ')}`

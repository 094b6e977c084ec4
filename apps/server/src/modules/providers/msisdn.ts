import type { FormProblem } from '@muripo/contract/checkout'
import type { PaymentMethod } from '@muripo/contract/payments'
import { cleanPhone } from '@muripo/contract/typed-text'
import { walletMethods, walletOfNetwork } from '@muripo/contract/wallets'
import { problemOf } from '@muripo/locales/form-problems'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

const written = /^[+\d ().\-/]{9,32}$/
const zimbabweanMobile = /^2637\d{8}$/

/**
 * Reads a Zimbabwean mobile number as people write it (077 100 0001, +263 77 1000001, 263771000001, 771000001) into the digits for
 * providers, 263771000001. Null for any other text: letters and extensions are refused.
 */
export function toMsisdn(text: string): string | null {
  const phone = cleanPhone(text)
  if (!written.test(phone)) return null
  const digits = parsePhoneNumberFromString(phone, { defaultCountry: 'ZW', extract: false })?.number.slice(1)
  return digits !== undefined && zimbabweanMobile.test(digits) ? digits : null
}

/** The wallet that a number most likely has; null when its network has none. */
export const walletOf = (msisdn: string): PaymentMethod | null => walletOfNetwork(msisdn.slice(3))

/** Whether the wallet has numbers of one network only. */
export const isBoundToNetwork = (method: PaymentMethod): boolean => walletMethods.includes(method)

/** A number for screens and logs: 263771234567 becomes "077 *** 4567". */
export function displayNumber(msisdn: string): string {
  return zimbabweanMobile.test(msisdn) ? `0${msisdn.slice(3, 5)} *** ${msisdn.slice(-4)}` : '***'
}

const ecocashNumber = /^2637[78]\d{7}$/

/** The refusal of a number of another network than EcoCash's. */
export const refuseOtherThanEcocash = (msisdn: string): FormProblem | null =>
  ecocashNumber.test(msisdn) ? null : problemOf('phoneNotEcocash')

/** Whether a number is one of a list, whose numbers are written as people write them. */
export const isAmong = (numbers: readonly string[], msisdn: string): boolean =>
  numbers.some((number) => toMsisdn(number) === msisdn)

/** The refusal of a number that a test account must not prompt. An account without test numbers prompts any number. */
export const refuseRealNumber = (
  testNumbers: readonly string[] | null | undefined,
  msisdn: string,
): FormProblem | null =>
  !testNumbers || isAmong(testNumbers, msisdn)
    ? null
    : problemOf('phoneNotForTest', { numbers: testNumbers.join(', ') })

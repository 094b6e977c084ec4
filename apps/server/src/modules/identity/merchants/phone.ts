import { cleanPhone } from '@muripo/contract/typed-text'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** The most frequent form, for which the slower library is not called. A test compares both results. */
const zimbabweanMobile = /^\+2637[1378][1-9]\d{6}$/

/** A phone number of any country in E.164; a number without a country code is Zimbabwean. Null when no such number exists. */
export function toE164(text: string): string | null {
  if (zimbabweanMobile.test(text)) return text
  const number = parsePhoneNumberFromString(cleanPhone(text), { defaultCountry: 'ZW', extract: false })
  return number?.isValid() && number.ext === undefined ? number.number : null
}

import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** A phone number of any country in E.164; one without a country code is taken as Zimbabwean. Null when there is no such number. */
export function toE164(text: string): string | null {
  const number = parsePhoneNumberFromString(text, { defaultCountry: 'ZW', extract: false })
  return number?.isValid() && number.ext === undefined ? number.number : null
}

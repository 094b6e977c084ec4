import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** The form that most shops send. The library gives the same result for it, more slowly; a test compares the two. */
const zimbabweanMobile = /^\+2637[1378][1-9]\d{6}$/

/** A phone number of any country in E.164; one without a country code is taken as Zimbabwean. Null when there is no such number. */
export function toE164(text: string): string | null {
  if (zimbabweanMobile.test(text)) return text
  const number = parsePhoneNumberFromString(text, { defaultCountry: 'ZW', extract: false })
  return number?.isValid() && number.ext === undefined ? number.number : null
}

import { type Locale, locales } from '@muripo/contract/enums'

/** The parameter of a link that chooses the page's language. */
export const LOCALE_PARAMETER = 'lang'

/** The cookie with the reader's choice for all pages. */
export const READER_COOKIE = 'reader_locale'

export const CHOICE_SECONDS = 365 * 24 * 60 * 60

/** The names of the languages in themselves. */
export const languageNames: Readonly<Record<Locale, string>> = {
  en: 'English',
  sn: 'chiShona',
  nd: 'isiNdebele',
}

export const localeIn = (text: string | null | undefined): Locale | null =>
  locales.find((locale) => locale === text) ?? null

/** The longest header that browsers send has about ten languages. */
const HEADER_MAX_LENGTH = 200

/** The reader's most preferred of our languages by the header `Accept-Language`; null when it names none of them. */
export function acceptedLocale(header: string | null): Locale | null {
  const accepted = (header ?? '')
    .slice(0, HEADER_MAX_LENGTH)
    .split(',')
    .map((entry) => {
      const [tag = '', quality = ''] = entry.trim().split(';q=')
      return {
        locale: localeIn(tag.split('-')[0]?.toLowerCase()),
        quality: quality === '' ? 1 : Number(quality),
      }
    })
  const ours = accepted.filter(({ locale, quality }) => locale !== null && quality > 0)
  return ours.sort((one, other) => other.quality - one.quality)[0]?.locale ?? null
}

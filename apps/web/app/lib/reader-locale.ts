import type { Locale } from '@muripo/contract/enums'
import { acceptedLocale, localeIn } from '@muripo/locales/languages'
import { parseCookie, stringifySetCookie } from 'cookie'

/** The parameter of a link that chooses the page's language. */
export const LOCALE_PARAMETER = 'lang'

/** The reader's choice for all pages. */
const READER_COOKIE = 'reader_locale'
/** The reader's choice for one page and those below it, which its author's suggestion does not change. */
const PAGE_COOKIE = 'page_locale'

const COOKIE_LIFE_SECONDS = 365 * 24 * 60 * 60

const chosenIn = (request: Request): Locale | null =>
  localeIn(new URL(request.url).searchParams.get(LOCALE_PARAMETER))

/** @param suggested the language that the shop has named for its payer */
export function readerLocale(request: Request, suggested: Locale | null = null): Locale {
  const cookies = parseCookie(request.headers.get('cookie') ?? '')
  return (
    chosenIn(request) ??
    localeIn(cookies[PAGE_COOKIE]) ??
    suggested ??
    localeIn(cookies[READER_COOKIE]) ??
    acceptedLocale(request.headers.get('accept-language')) ??
    'en'
  )
}

/** The headers that keep the language which the reader has just chosen. */
export function localeHeaders(request: Request, page: string, isSecure: boolean): Headers {
  const headers = new Headers()
  const value = chosenIn(request)
  if (value === null) return headers
  const cookie = (name: string, path: string) =>
    stringifySetCookie({
      name,
      value,
      path,
      httpOnly: true,
      sameSite: 'lax',
      secure: isSecure,
      maxAge: COOKIE_LIFE_SECONDS,
    })
  headers.append('set-cookie', cookie(READER_COOKIE, '/'))
  headers.append('set-cookie', cookie(PAGE_COOKIE, page))
  return headers
}

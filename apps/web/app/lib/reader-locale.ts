import type { Locale } from '@muripo/contract/enums'
import {
  acceptedLocale,
  CHOICE_SECONDS,
  LOCALE_PARAMETER,
  localeIn,
  READER_COOKIE,
} from '@muripo/locales/languages'
import { parseCookie, stringifySetCookie } from 'cookie'

/** The reader's choice for one page and the pages below it. It has precedence over the language that the shop suggests. */
const PAGE_COOKIE = 'page_locale'

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

/**
 * The headers that store the language that the reader has just chosen, for all pages.
 * @param page a path for which it is also stored, with those below: there it has precedence over the language that the shop suggests
 */
export function choiceHeaders(request: Request, isSecure: boolean, page: string | null = null): Headers {
  const headers = new Headers()
  const value = chosenIn(request)
  if (value === null) return headers
  const shared = { value, sameSite: 'lax', secure: isSecure, maxAge: CHOICE_SECONDS } as const
  // The pages that run in the browser write this choice themselves.
  headers.append('set-cookie', stringifySetCookie({ ...shared, name: READER_COOKIE, path: '/' }))
  if (page !== null)
    headers.append(
      'set-cookie',
      stringifySetCookie({ ...shared, name: PAGE_COOKIE, path: page, httpOnly: true }),
    )
  return headers
}

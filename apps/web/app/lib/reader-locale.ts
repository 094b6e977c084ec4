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

function choiceHeaders(request: Request, name: string, path: string, isSecure: boolean): Headers {
  const headers = new Headers()
  const value = chosenIn(request)
  if (value === null) return headers
  const cookie = stringifySetCookie({
    name,
    value,
    path,
    // The pages that run in the browser write the reader's choice themselves.
    httpOnly: name === PAGE_COOKIE,
    sameSite: 'lax',
    secure: isSecure,
    maxAge: CHOICE_SECONDS,
  })
  headers.append('set-cookie', cookie)
  return headers
}

/** The headers that store the language that the reader has just chosen, for all pages. */
export const readerHeaders = (request: Request, isSecure: boolean): Headers =>
  choiceHeaders(request, READER_COOKIE, '/', isSecure)

/** The same for one page and those below it. */
export const pageHeaders = (request: Request, page: string, isSecure: boolean): Headers =>
  choiceHeaders(request, PAGE_COOKIE, page, isSecure)

import { type CheckoutView, METHOD_COOKIE } from '@muripo/contract/checkout'
import type { Locale } from '@muripo/contract/enums'
import { data, type HeadersArgs, type RouterContextProvider } from 'react-router'
import { addressContext, checkoutContext, originOf } from '../../lib/context.ts'
import { pageHeaders, readerLocale } from '../../lib/reader-locale.ts'
import typeScale from '../../shell/type.css?inline'
import checkoutStyles from './checkout.css?inline'

export const plainStyles = typeScale + checkoutStyles

/** The headers of every page of a payment. */
export function headersOf({ loaderHeaders, errorHeaders }: HeadersArgs): Headers {
  const all = new Headers(errorHeaders ?? loaderHeaders)
  all.set('cache-control', 'no-store')
  return all
}

/**
 * The head of every page of a payment.
 * @param title undefined for the page of an error, which sets its title itself
 */
export const metaOf = (title: string | undefined) => [
  ...(title === undefined ? [] : [{ title }]),
  { name: 'robots', content: 'noindex' },
  // The address is the permission to pay: other sites must not learn it. (`no-referrer` would also strip
  // the Origin of the form's own POST, which is checked against forged requests.)
  { name: 'referrer', content: 'same-origin' },
]

interface PageCall {
  readonly context: Readonly<RouterContextProvider>
  readonly request: Request
}

/** The data of a page with its language, and the headers that store a language that the reader has just chosen. */
export function withLocale<Loaded extends object>(
  { context, request }: PageCall,
  suggested: Locale | null,
  loaded: Loaded,
  status = 200,
) {
  const { pathname } = new URL(request.url)
  const isSecure = originOf(context, request).startsWith('https:')
  // The choice also applies to the pages below the payer's page.
  const page = pathname.split('/').slice(0, 3).join('/')
  return data(
    { ...loaded, locale: readerLocale(request, suggested) },
    { status, headers: pageHeaders(request, page, isSecure) },
  )
}

/** The language in such data. */
export const localeOf = (loaded: unknown): Locale => (loaded as { locale: Locale }).locale

/** @throws the response for an unknown payment, and for a network address beyond its limit */
export async function loadView(token: string, { context, request }: PageCall): Promise<CheckoutView> {
  const lastMethod = lastMethodIn(request.headers.get('cookie'))
  const view = await context.get(checkoutContext).view(token, context.get(addressContext), lastMethod)
  if (view === null) throw data(null, { status: 404 })
  if ('waitSeconds' in view) {
    const seconds = String(view.waitSeconds)
    throw data(null, { status: 429, headers: { 'retry-after': seconds, refresh: seconds } })
  }
  return view
}

const cookiePattern = new RegExp(`(?:^|; ?)${METHOD_COOKIE}=([a-z]{1,20})(?:;|$)`)

/** The method of the payer's last payment in this browser; undefined when there was none. */
export const lastMethodIn = (cookies: string | null): string | undefined =>
  cookiePattern.exec(cookies ?? '')?.[1]

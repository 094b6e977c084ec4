import type { CheckoutView } from '@muripo/contract/checkout'
import { data, type RouterContextProvider } from 'react-router'
import { addressContext, checkoutContext } from '../../lib/context.ts'
import typeScale from '../../shell/type.css?inline'
import checkoutStyles from './checkout.css?inline'
import { lastMethodIn } from './last-method.ts'

export const plainStyles = typeScale + checkoutStyles

/** The headers of every page of a payment. */
export function headersOf(errorHeaders: Headers | undefined): Headers {
  const all = new Headers(errorHeaders)
  all.set('cache-control', 'no-store')
  return all
}

/** The head of every page of a payment. */
export const metaOf = (title: string) => [
  { title },
  { name: 'robots', content: 'noindex' },
  // The address is the permission to pay: other sites must not learn it. (`no-referrer` would also strip
  // the Origin of the form's own POST, which is checked against forged requests.)
  { name: 'referrer', content: 'same-origin' },
]

/** @throws the response for an unknown payment, and for an address beyond its limit */
export async function loadView(
  token: string,
  { context, request }: { context: Readonly<RouterContextProvider>; request: Request },
): Promise<CheckoutView> {
  const lastMethod = lastMethodIn(request.headers.get('cookie'))
  const view = await context.get(checkoutContext).view(token, context.get(addressContext), lastMethod)
  if (view === null) throw data(null, { status: 404 })
  if ('waitSeconds' in view) {
    const seconds = String(view.waitSeconds)
    throw data(null, { status: 429, headers: { 'retry-after': seconds, refresh: seconds } })
  }
  return view
}

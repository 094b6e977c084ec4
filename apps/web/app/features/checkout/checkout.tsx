import { data, isRouteErrorResponse } from 'react-router'
import { addressContext, checkoutContext, refusedFormContext } from '../../lib/context.ts'
import type { PageHandle } from '../../lib/page-meta.ts'
import typeScale from '../../shell/type.css?inline'
import type { Route } from './+types/checkout.ts'
import checkoutStyles from './checkout.css?inline'
import { lastMethodIn } from './last-method.ts'
import { Bill, Page } from './page.tsx'
import { refreshOf, waitOf } from './refresh.ts'
import { Stage } from './stage.tsx'

export const handle: PageHandle = { plainStyles: typeScale + checkoutStyles }

export function headers({ errorHeaders }: Route.HeadersArgs) {
  const all = new Headers(errorHeaders)
  all.set('cache-control', 'no-store')
  return all
}

export async function loader({ params, context, request }: Route.LoaderArgs) {
  const lastMethod = lastMethodIn(request.headers.get('cookie'))
  const view = await context.get(checkoutContext).view(params.token, context.get(addressContext), lastMethod)
  if (view === null) throw data(null, { status: 404 })
  if ('waitSeconds' in view) {
    throw data(view, { status: 429, headers: { 'retry-after': String(view.waitSeconds) } })
  }
  return view
}

/** The server takes the form, and has it drawn again only when it was refused. */
export const action = ({ context }: Route.ActionArgs) =>
  data(context.get(refusedFormContext), { status: 422 })

export const meta: Route.MetaFunction = ({ loaderData, error }) => {
  const refresh = loaderData ? refreshOf(loaderData) : waitOf(error)
  return [
    { title: loaderData ? `Pay ${loaderData.shopName}` : 'Payment' },
    { name: 'robots', content: 'noindex' },
    // The address is the permission to pay: other sites must not learn it. (`no-referrer` would also strip
    // the Origin of the form's own POST, which is checked against forged requests.)
    { name: 'referrer', content: 'same-origin' },
    ...(refresh === null ? [] : [{ httpEquiv: 'refresh', content: refresh }]),
  ]
}

export default function Checkout({ loaderData: view, actionData }: Route.ComponentProps) {
  return (
    <Page>
      <Bill view={view} />
      <Stage view={view} refusal={actionData ?? undefined} />
    </Page>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { title, text } = troubleOf(error)
  return (
    <Page>
      <h1>{title}</h1>
      <p>{text}</p>
    </Page>
  )
}

function troubleOf(error: unknown): { title: string; text: string } {
  const status = isRouteErrorResponse(error) ? error.status : 500
  if (status === 404) {
    return {
      title: 'This payment link does not exist',
      text: 'Check that you opened the whole link, or ask the shop for a new one.',
    }
  }
  if (status === 429) {
    return {
      title: 'Please wait a moment',
      text: 'Very many people are opening payments from your network right now. Nothing is lost: this page opens by itself in a few seconds.',
    }
  }
  return {
    title: 'Something went wrong on our side',
    text: 'Nothing is lost. Please open this page again in a moment.',
  }
}

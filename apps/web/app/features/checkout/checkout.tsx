import { INTENT_PARAMETER } from '@muripo/contract/checkout'
import { data, isRouteErrorResponse } from 'react-router'
import { addressContext, checkoutContext, refusedFormContext } from '../../lib/context.ts'
import type { PageHandle } from '../../lib/page-meta.ts'
import typeScale from '../../shell/type.css?inline'
import type { Route } from './+types/checkout.ts'
import checkoutStyles from './checkout.css?inline'
import { lastMethodIn } from './last-method.ts'
import { fill, messages } from './messages.ts'
import { Bill, Page } from './page.tsx'
import { movesOf, refreshOf, STILL } from './refresh.ts'
import { Stage } from './stage.tsx'

export const handle: PageHandle = {
  plainStyles: typeScale + checkoutStyles,
  plainRefresh: (loaded) => {
    const { moves } = loaded as Awaited<ReturnType<typeof loader>>
    return moves && refreshOf(moves)
  },
}

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
    const seconds = String(view.waitSeconds)
    throw data(null, { status: 429, headers: { 'retry-after': seconds, refresh: seconds } })
  }
  const { searchParams } = new URL(request.url)
  const isStill = searchParams.has(STILL)
  return { view, intent: searchParams.get(INTENT_PARAMETER), isStill, moves: isStill ? null : movesOf(view) }
}

/** The server takes the form, and has it drawn again only when it was refused. */
export const action = ({ context }: Route.ActionArgs) =>
  data(context.get(refusedFormContext), { status: 422 })

export const meta: Route.MetaFunction = ({ loaderData }) => [
  {
    title: loaderData
      ? fill(messages.title, { shop: loaderData.view.shopName })
      : messages.titleWithoutPayment,
  },
  { name: 'robots', content: 'noindex' },
  // The address is the permission to pay: other sites must not learn it. (`no-referrer` would also strip
  // the Origin of the form's own POST, which is checked against forged requests.)
  { name: 'referrer', content: 'same-origin' },
]

export default function Checkout({ loaderData, actionData }: Route.ComponentProps) {
  const { view, intent, isStill, moves } = loaderData
  return (
    <Page moves={moves ?? undefined}>
      <Bill view={view} />
      <Stage view={view} intent={intent} isStill={isStill} refusal={actionData ?? undefined} />
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
  if (status === 404) return { title: messages.noPayment, text: messages.noPaymentText }
  if (status === 429) return { title: messages.tooMany, text: messages.tooManyText }
  return { title: messages.broken, text: messages.brokenText }
}

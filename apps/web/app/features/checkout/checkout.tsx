import { INTENT_PARAMETER } from '@muripo/contract/checkout'
import { data } from 'react-router'
import { originOf, refusedFormContext } from '../../lib/context.ts'
import type { PageHandle } from '../../lib/page-meta.ts'
import type { Route } from './+types/checkout.ts'
import { Bill, Page } from './page.tsx'
import { headersOf, loadView, localeOf, metaOf, plainStyles, withLocale } from './payment-page.ts'
import { type Moves, movesOf, refreshOf, STILL } from './refresh.ts'
import { Stage } from './stage.tsx'
import { payerText } from './text.tsx'
import { Trouble } from './trouble.tsx'

export const handle: PageHandle = {
  plainStyles,
  plainLocale: localeOf,
  plainRefresh: (loaded) => {
    const { moves } = loaded as { moves: Moves | null }
    return moves && refreshOf(moves)
  },
}

export const headers = (all: Route.HeadersArgs) => headersOf(all)

export async function loader({ params, ...call }: Route.LoaderArgs) {
  const view = await loadView(params.token, call)
  const { searchParams } = new URL(call.request.url)
  const isStill = searchParams.has(STILL)
  return withLocale(call, view.locale, {
    token: params.token,
    origin: originOf(call.context, call.request),
    view,
    intent: searchParams.get(INTENT_PARAMETER),
    isStill,
    moves: isStill ? null : movesOf(view),
  })
}

/** The server handles the form before the router, and renders the page again only when the form was refused. */
export const action = ({ context }: Route.ActionArgs) =>
  data(context.get(refusedFormContext), { status: 422 })

export const meta: Route.MetaFunction = ({ loaderData }) =>
  metaOf(loaderData && payerText(loaderData.locale)('title', { shop: loaderData.view.shopName }))

export default function Checkout({ loaderData, actionData }: Route.ComponentProps) {
  const { token, origin, view, intent, isStill, moves, locale } = loaderData
  return (
    <Page locale={locale} moves={moves ?? undefined}>
      <Bill view={view} />
      <Stage
        origin={origin}
        token={token}
        view={view}
        intent={intent}
        isStill={isStill}
        refusal={actionData ?? undefined}
      />
    </Page>
  )
}

export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) => <Trouble error={error} />

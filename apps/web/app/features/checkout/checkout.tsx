import { INTENT_PARAMETER } from '@muripo/contract/checkout'
import { data } from 'react-router'
import { publicUrlContext, refusedFormContext } from '../../lib/context.ts'
import type { PageHandle } from '../../lib/page-meta.ts'
import type { Route } from './+types/checkout.ts'
import { fill, messages } from './messages.ts'
import { Bill, Page } from './page.tsx'
import { headersOf, loadView, metaOf, plainStyles } from './payment-page.ts'
import { movesOf, refreshOf, STILL } from './refresh.ts'
import { Stage } from './stage.tsx'
import { Trouble } from './trouble.tsx'

export const handle: PageHandle = {
  plainStyles,
  plainRefresh: (loaded) => {
    const { moves } = loaded as Awaited<ReturnType<typeof loader>>
    return moves && refreshOf(moves)
  },
}

export const headers = ({ errorHeaders }: Route.HeadersArgs) => headersOf(errorHeaders)

export async function loader({ params, ...call }: Route.LoaderArgs) {
  const view = await loadView(params.token, call)
  const { searchParams, origin } = new URL(call.request.url)
  const isStill = searchParams.has(STILL)
  return {
    token: params.token,
    origin: call.context.get(publicUrlContext) ?? origin,
    view,
    intent: searchParams.get(INTENT_PARAMETER),
    isStill,
    moves: isStill ? null : movesOf(view),
  }
}

/** The server takes the form, and has it drawn again only when it was refused. */
export const action = ({ context }: Route.ActionArgs) =>
  data(context.get(refusedFormContext), { status: 422 })

export const meta: Route.MetaFunction = ({ loaderData }) =>
  metaOf(loaderData ? fill(messages.title, { shop: loaderData.view.shopName }) : messages.titleWithoutPayment)

export default function Checkout({ loaderData, actionData }: Route.ComponentProps) {
  const { token, origin, view, intent, isStill, moves } = loaderData
  return (
    <Page moves={moves ?? undefined}>
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

import { data, isRouteErrorResponse } from 'react-router'
import { checkoutContext, refusedFormContext } from '../lib/context.ts'
import type { PageHandle } from '../lib/handle.ts'
import type { Route } from './+types/checkout.ts'
import plainStyles from './checkout.css?inline'
import { Bill, Page } from './page.tsx'
import { refreshOf } from './refresh.ts'
import { Stage } from './stage.tsx'

export const handle: PageHandle = { plainStyles }

export const headers = () => ({ 'cache-control': 'no-store' })

export async function loader({ params, context }: Route.LoaderArgs) {
  const view = await context.get(checkoutContext).view(params.token)
  if (view === null) throw data(null, { status: 404 })
  return view
}

/** The server takes the form, and has it drawn again only when it was refused. */
export const action = ({ context }: Route.ActionArgs) =>
  data(context.get(refusedFormContext), { status: 422 })

export const meta: Route.MetaFunction = ({ loaderData }) => {
  const refresh = loaderData ? refreshOf(loaderData) : null
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
  const unknown = isRouteErrorResponse(error) && error.status === 404
  return (
    <Page>
      <h1>{unknown ? 'This payment link does not exist' : 'Something went wrong on our side'}</h1>
      <p>
        {unknown
          ? 'Check that you opened the whole link, or ask the shop for a new one.'
          : 'Nothing is lost. Please open this page again in a moment.'}
      </p>
    </Page>
  )
}

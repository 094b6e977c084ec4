import type { CheckoutView } from '@muripo/contract/checkout'
import { methodNames } from '@muripo/contract/words'
import { useContext } from 'react'
import { type PageHandle, ScriptNonce } from '../../lib/page-meta.ts'
import type { Route } from './+types/receipt.ts'
import { fill, messages, momentText } from './messages.ts'
import { Page, priceOf } from './page.tsx'
import { headersOf, loadView, metaOf, plainStyles } from './payment-page.ts'
import { Trouble } from './trouble.tsx'

export const handle: PageHandle = { plainStyles }

export const headers = ({ errorHeaders }: Route.HeadersArgs) => headersOf(errorHeaders)

export const loader = async ({ params, ...call }: Route.LoaderArgs) => ({
  token: params.token,
  view: await loadView(params.token, call),
})

export const meta: Route.MetaFunction = ({ loaderData }) =>
  metaOf(
    loaderData
      ? fill(messages.receiptTitle, { shop: loaderData.view.shopName })
      : messages.titleWithoutPayment,
  )

export default function ReceiptPage({ loaderData: { token, view } }: Route.ComponentProps) {
  return (
    <Page>
      {view.receipt === null ? (
        <>
          <h1>{messages.noReceipt}</h1>
          <p>{messages.noReceiptText}</p>
        </>
      ) : (
        <Receipt view={view} receipt={view.receipt} />
      )}
      <nav>
        {view.receipt !== null && view.continueUrl !== null && (
          <a className="button" href={view.continueUrl} rel="noreferrer">
            {fill(messages.backTo, { shop: view.shopName })}
          </a>
        )}
        {view.receipt !== null && <Print />}
        <a className="back" href={`/pay/${encodeURIComponent(token)}`}>
          {messages.backToPayment}
        </a>
      </nav>
    </Page>
  )
}

interface ReceiptProps {
  readonly view: CheckoutView
  readonly receipt: NonNullable<CheckoutView['receipt']>
}

function Receipt({ view, receipt }: ReceiptProps) {
  const isRefunded = view.stage === 'refunded'
  const lines: readonly (readonly [string, string | null | undefined])[] = [
    [messages.receiptAmount, priceOf(view)],
    [messages.receiptFor, view.description],
    [messages.receiptStatus, isRefunded ? messages.statusRefunded : messages.statusCompleted],
    [messages.receiptTime, momentText(receipt.paidAt)],
    [messages.receiptMethod, receipt.method && methodNames[receipt.method]],
    [messages.receiptNumber, receipt.phone],
    [messages.receiptReference, receipt.reference],
    [messages.receiptProviderReference, receipt.providerReference],
    [messages.receiptPayment, receipt.paymentId],
  ]
  return (
    <>
      {view.isTest && <p className="test">{messages.testBadge}</p>}
      <p className="shop">{view.shopName}</p>
      <h1>{messages.receipt}</h1>
      <p>{fill(isRefunded ? messages.receiptRefunded : messages.receiptPaid, { shop: view.shopName })}</p>
      {view.isTest && <p className="hint">{messages.testNote}</p>}
      <dl>
        {lines.map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <p className="hint">{messages.receiptShare}</p>
    </>
  )
}

/** The button appears where a script can print. */
function Print() {
  const nonce = useContext(ScriptNonce)
  return (
    <>
      <button type="button" id="print" className="choice" hidden>
        {messages.print}
      </button>
      <script
        nonce={nonce}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: our own line, the same for everybody
        dangerouslySetInnerHTML={{
          __html: "{let b=document.getElementById('print');b.hidden=false;b.onclick=()=>print()}",
        }}
      />
    </>
  )
}

export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) => <Trouble error={error} />

import type { CheckoutView } from '@muripo/contract/checkout'
import { methodNames } from '@muripo/contract/enums'
import { momentOf } from '@muripo/locales/moment'
import { useContext } from 'react'
import { type PageHandle, ScriptNonce } from '../../lib/page-meta.ts'
import type { Route } from './+types/receipt.ts'
import { Notice, Page, priceOf } from './page.tsx'
import { headersOf, loadView, localeOf, metaOf, plainStyles, withLocale } from './payment-page.ts'
import { payerText, usePayerText } from './text.tsx'
import { Trouble } from './trouble.tsx'

export const handle: PageHandle = { plainStyles, plainLocale: localeOf }

export const headers = (all: Route.HeadersArgs) => headersOf(all)

export async function loader({ params, ...call }: Route.LoaderArgs) {
  const view = await loadView(params.token, call)
  return withLocale(call, view.locale, { token: params.token, view })
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  metaOf(loaderData && payerText(loaderData.locale)('receiptTitle', { shop: loaderData.view.shopName }))

export default function ReceiptPage({ loaderData: { token, view, locale } }: Route.ComponentProps) {
  const t = payerText(locale)
  return (
    <Page locale={locale}>
      {view.receipt === null ? (
        <Notice mark="–" tone="grey" title={t('noReceipt')}>
          <p>{t('noReceiptText')}</p>
        </Notice>
      ) : (
        <Receipt view={view} receipt={view.receipt} />
      )}
      <nav>
        {view.receipt !== null && view.continueUrl !== null && (
          <a className="button" href={view.continueUrl} rel="noreferrer">
            {t('backTo', { shop: view.shopName })}
          </a>
        )}
        {view.receipt !== null && <Print />}
        <a className="back" href={`/pay/${encodeURIComponent(token)}`}>
          {t('backToPayment')}
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
  const t = usePayerText()
  const isRefunded = view.stage === 'refunded'
  const lines: readonly (readonly [string, string | null | undefined])[] = [
    [t('receiptAmount'), priceOf(view)],
    [t('receiptFor'), view.description],
    [t('receiptStatus'), t(isRefunded ? 'statusRefunded' : 'statusCompleted')],
    [t('receiptTime'), t('moment', momentOf(new Date(receipt.paidAt)))],
    [t('receiptMethod'), receipt.method && methodNames[receipt.method]],
    [t('receiptNumber'), receipt.phone],
    [t('receiptReference'), receipt.reference],
    [t('receiptProviderReference'), receipt.providerReference],
    [t('receiptPayment'), receipt.paymentId],
  ]
  return (
    <>
      {view.isTest && <p className="test">{t('testBadge')}</p>}
      <p className="shop">{view.shopName}</p>
      <h1>{t('receipt')}</h1>
      <p>{t(isRefunded ? 'receiptRefunded' : 'receiptPaid', { shop: view.shopName })}</p>
      {view.isTest && <p className="hint">{t('testNote')}</p>}
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
      <p className="hint">{t('receiptShare')}</p>
    </>
  )
}

/** The button is visible only where a script runs. */
function Print() {
  const nonce = useContext(ScriptNonce)
  const t = usePayerText()
  return (
    <>
      <button type="button" id="print" className="choice" hidden>
        {t('print')}
      </button>
      <script
        nonce={nonce}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: our own script, the same for all readers
        dangerouslySetInnerHTML={{
          __html: "{let b=document.getElementById('print');b.hidden=false;b.onclick=()=>print()}",
        }}
      />
    </>
  )
}

export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) => <Trouble error={error} />

import { priceText } from '@muripo/contract/amounts'
import type { CheckoutView } from '@muripo/contract/checkout'
import { methodNames } from '@muripo/contract/enums'
import { momentOf } from '@muripo/locales/moment'
import { useContext } from 'react'
import { ScriptNonce } from '../../lib/page-meta.ts'
import { Notice, Page, type PageOf, priceOf } from './page.tsx'
import { payerText, Sentence, usePayerText } from './text.tsx'

export function ReceiptPage({ page: { token, view }, locale }: PageOf<'receipt'>) {
  const t = payerText(locale)
  return (
    <Page locale={locale} title={t('receiptTitle', { shop: view.shopName })}>
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

const receiptTexts = {
  paid: { title: 'receiptPaid', status: 'statusCompleted' },
  partlyRefunded: { title: 'receiptPartlyRefunded', status: 'statusPartlyRefunded' },
  refunded: { title: 'receiptRefunded', status: 'statusRefunded' },
} as const

/** An id that is too long for its line breaks in its middle, so that no single letter is on the next line. */
function Value({ text }: { readonly text: string }) {
  if (!/^\w{24,}$/.test(text)) return text
  const middle = Math.ceil(text.length / 2)
  return (
    <>
      {text.slice(0, middle)}
      <wbr />
      {text.slice(middle)}
    </>
  )
}

function Receipt({ view, receipt }: ReceiptProps) {
  const t = usePayerText()
  const texts =
    receiptTexts[
      view.stage === 'refunded' ? 'refunded' : receipt.amountLeft === null ? 'paid' : 'partlyRefunded'
    ]
  const lines: readonly (readonly [string, string | null | undefined])[] = [
    [t('receiptAmount'), priceOf(view)],
    [t('receiptFor'), view.description],
    [t('receiptStatus'), t(texts.status)],
    [t('receiptTime'), t('moment', momentOf(new Date(receipt.paidAt)))],
    ...receipt.refunds.map(
      ({ amount, at }) =>
        [
          t('statusRefunded'),
          t('receiptRefund', {
            price: priceText(view.currency, amount),
            moment: t('moment', momentOf(new Date(at))),
          }),
        ] as const,
    ),
    [t('receiptLeft'), receipt.amountLeft && priceText(view.currency, receipt.amountLeft)],
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
      <p>{t(texts.title, { shop: view.shopName })}</p>
      {view.isTest && <p className="hint">{t('testNote')}</p>}
      <dl>
        {lines.map(
          ([name, value]) =>
            value && (
              <div key={`${name} ${value}`}>
                <dt>{name}</dt>
                <dd>
                  <Value text={value} />
                </dd>
              </div>
            ),
        )}
      </dl>
      {receipt.contact !== null && (
        <p className="questions">
          <strong>{t('receiptQuestions')}</strong>{' '}
          <Sentence
            of="receiptCall"
            values={{
              shop: view.shopName,
              phone: (
                <a className="whole" href={`tel:${receipt.contact.replaceAll(' ', '')}`}>
                  {receipt.contact}
                </a>
              ),
            }}
          />
        </p>
      )}
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

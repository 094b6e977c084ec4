import type { CardStep, CheckoutView } from '@muripo/contract/checkout'
import { useContext } from 'react'
import { data } from 'react-router'
import { cardPageContext } from '../../lib/context.ts'
import { type PageHandle, ScriptNonce } from '../../lib/page-meta.ts'
import { readerLocale } from '../../lib/reader-locale.ts'
import type { Route } from './+types/card.ts'
import { Bill, Page, priceOf } from './page.tsx'
import { localeOf, metaOf, plainStyles } from './payment-page.ts'
import { cardScript } from './scripts.ts'
import { payerText, usePayerText } from './text.tsx'
import { Trouble } from './trouble.tsx'

export const handle: PageHandle = { plainStyles, plainLocale: localeOf }

export const headers = () => ({ 'cache-control': 'no-store' })

export function loader({ context, params, request }: Route.LoaderArgs) {
  const page = context.get(cardPageContext)
  // The server leads to this page only while the attempt waits for a card.
  if (page === null) throw data(null, { status: 404 })
  const locale = readerLocale(request, page.view.locale)
  return { ...page, locale, back: `/pay/${encodeURIComponent(params.token)}` }
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  metaOf(loaderData && payerText(loaderData.locale)('title', { shop: loaderData.view.shopName }))

export default function Card({ loaderData: { view, step, locale, back } }: Route.ComponentProps) {
  const t = payerText(locale)
  return (
    <Page locale={locale}>
      <Bill view={view} />
      {step.type === 'hosted_fields' ? <Fields view={view} step={step} /> : <Bank view={view} step={step} />}
      <a className="back" href={back}>
        {t('backToPayment')}
      </a>
    </Page>
  )
}

type StepOf<Type extends CardStep['type']> = Extract<CardStep, { type: Type }>

const cardFields = [
  ['card-number', 'cardNumber'],
  ['card-month', 'cardMonth'],
  ['card-year', 'cardYear'],
  ['card-code', 'cardCode'],
] as const

/** The provider's script lays a frame over each field. The fields have no name, so that no form of ours can send what they contain. */
function Fields({ view, step }: { readonly view: CheckoutView; readonly step: StepOf<'hosted_fields'> }) {
  const nonce = useContext(ScriptNonce)
  const t = usePayerText()
  return (
    <form
      method="post"
      id="card"
      data-session={step.session}
      data-wrong={t('cardWrong')}
      data-failed={t('cardFailed')}
    >
      <h1>{t('yourCard')}</h1>
      <p className="hint">{t('cardStays')}</p>
      <noscript>
        <p className="error">{t('cardNeedsScript')}</p>
      </noscript>
      {cardFields.map(([id, label]) => (
        <p key={id}>
          <label className="name" htmlFor={id}>
            {t(label)}
          </label>
          <input id={id} className="field" readOnly aria-describedby="card-error" />
        </p>
      ))}
      <p className="error" id="card-error" role="alert" />
      <button type="submit" disabled>
        {t('pay', { price: priceOf(view) })}
      </button>
      <script src={step.script} />
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own script, the same for all readers */}
      <script nonce={nonce} dangerouslySetInnerHTML={{ __html: cardScript }} />
    </form>
  )
}

function Bank({ view, step }: { readonly view: CheckoutView; readonly step: StepOf<'post_form'> }) {
  const t = usePayerText()
  return (
    <form method="post" action={step.url} className="notice">
      <h1>{t('confirmAtBank')}</h1>
      <p>{t('confirmAtBankText', { price: priceOf(view) })}</p>
      {Object.entries(step.fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button type="submit">{t('continueToBank')}</button>
    </form>
  )
}

export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) => <Trouble error={error} />

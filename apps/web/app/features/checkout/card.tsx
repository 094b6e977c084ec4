import type { CardStep, CheckoutView } from '@muripo/contract/checkout'
import { useContext } from 'react'
import { ScriptNonce } from '../../lib/page-meta.ts'
import { Bill, Page, type PageOf, priceOf } from './page.tsx'
import { cardScript } from './scripts.ts'
import { payerText, usePayerText } from './text.tsx'

export function CardPage({ page: { token, view, step }, locale }: PageOf<'card'>) {
  const t = payerText(locale)
  return (
    <Page locale={locale} title={t('title', { shop: view.shopName })}>
      <Bill view={view} />
      {step.type === 'hosted_fields' ? <Fields view={view} step={step} /> : <Bank view={view} step={step} />}
      <a className="back" href={`/pay/${encodeURIComponent(token)}`}>
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

import type { CardStep, CheckoutView } from '@muripo/contract/checkout'
import { useContext } from 'react'
import { data } from 'react-router'
import { cardPageContext } from '../../lib/context.ts'
import { type PageHandle, ScriptNonce } from '../../lib/page-meta.ts'
import typeScale from '../../shell/type.css?inline'
import type { Route } from './+types/card.ts'
import { cardScript } from './card-script.ts'
import checkoutStyles from './checkout.css?inline'
import { fill, messages } from './messages.ts'
import { Bill, Page, priceOf } from './page.tsx'

export const handle: PageHandle = { plainStyles: typeScale + checkoutStyles }

export const headers = () => ({ 'cache-control': 'no-store' })

export function loader({ context, params }: Route.LoaderArgs) {
  const page = context.get(cardPageContext)
  // The server leads to this page only while the attempt waits for a card.
  if (page === null) throw data(null, { status: 404 })
  return { ...page, back: `/pay/${encodeURIComponent(params.token)}` }
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  {
    title: loaderData
      ? fill(messages.title, { shop: (loaderData as { view: CheckoutView }).view.shopName })
      : messages.titleWithoutPayment,
  },
  { name: 'robots', content: 'noindex' },
  { name: 'referrer', content: 'same-origin' },
]

export default function Card({ loaderData: { view, step, back } }: Route.ComponentProps) {
  return (
    <Page>
      <Bill view={view} />
      {step.type === 'hosted_fields' ? <Fields view={view} step={step} /> : <Bank view={view} step={step} />}
      <a className="back" href={back}>
        {messages.backToPayment}
      </a>
    </Page>
  )
}

type StepOf<Type extends CardStep['type']> = Extract<CardStep, { type: Type }>

const cardFields = [
  ['card-number', messages.cardNumber],
  ['card-month', messages.cardMonth],
  ['card-year', messages.cardYear],
  ['card-code', messages.cardCode],
] as const

/** The provider's script lays a frame over each field. The fields have no name, so that no form of ours can send what they contain. */
function Fields({ view, step }: { readonly view: CheckoutView; readonly step: StepOf<'hosted_fields'> }) {
  const nonce = useContext(ScriptNonce)
  return (
    <form
      method="post"
      id="card"
      data-session={step.session}
      data-wrong={messages.cardWrong}
      data-failed={messages.cardFailed}
    >
      <h1>{messages.yourCard}</h1>
      <p className="hint">{messages.cardStays}</p>
      <noscript>
        <p className="error">{messages.cardNeedsScript}</p>
      </noscript>
      {cardFields.map(([id, label]) => (
        <p key={id}>
          <label className="name" htmlFor={id}>
            {label}
          </label>
          <input id={id} className="field" readOnly aria-describedby="card-error" />
        </p>
      ))}
      <p className="error" id="card-error" role="alert" />
      <button type="submit" disabled>
        {fill(messages.pay, { price: priceOf(view) })}
      </button>
      <script src={step.script} />
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own few lines, the same for everybody */}
      <script nonce={nonce} dangerouslySetInnerHTML={{ __html: cardScript }} />
    </form>
  )
}

const Bank = ({ view, step }: { readonly view: CheckoutView; readonly step: StepOf<'post_form'> }) => (
  <form method="post" action={step.url} className="notice">
    <h1>{messages.confirmAtBank}</h1>
    <p>{fill(messages.confirmAtBankText, { price: priceOf(view) })}</p>
    {Object.entries(step.fields).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    <button type="submit">{messages.continueToBank}</button>
  </form>
)

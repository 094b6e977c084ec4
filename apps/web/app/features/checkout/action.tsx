import type { CheckoutView, PayerStep, QrDrawing } from '@muripo/contract/checkout'
import { methodNames } from '@muripo/contract/words'
import { codeGroups, timeText } from './messages.ts'
import { priceOf } from './page.tsx'
import { Waiting } from './waiting.tsx'

type StepOf<Type extends PayerStep['type']> = Extract<PayerStep, { type: Type }>

/** The step that the payer takes elsewhere: a code in the wallet's app, or a page of the provider. */
export function Action({ view }: { readonly view: CheckoutView }) {
  const step = view.attempt?.step
  if (!view.attempt || !step) return <Waiting view={view} />
  const name = methodNames[view.attempt.method]
  return step.type === 'redirect' ? (
    <Redirect view={view} step={step} />
  ) : (
    <Code view={view} step={step} name={name} />
  )
}

interface CodeProps {
  readonly view: CheckoutView
  readonly step: StepOf<'show_code'>
  readonly name: string
}

const Code = ({ view, step: { code, qr, links, secondsLeft }, name }: CodeProps) => (
  <div className="notice">
    <h1>{`Pay in the ${name} app`}</h1>
    <div className="code">
      <div className="digits">
        <p className="hint">Your code</p>
        <p>
          {codeGroups(code).map((group, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a code does not change, and two groups may be alike
            <span key={place}>{group}</span>
          ))}
        </p>
        <TimeLeft seconds={secondsLeft}>Valid for</TimeLeft>
      </div>
      <div>
        {links.map(({ label, url }, place) => (
          <a key={url} className={place === 0 ? 'button' : 'back'} href={url}>
            {label}
          </a>
        ))}
      </div>
      {qr && (
        <figure>
          <Qr qr={qr} label={`QR code for the ${name} app`} />
          <figcaption className="hint">{`Scan with the ${name} app`}</figcaption>
        </figure>
      )}
    </div>
    <ol>
      <li>{`Open the ${name} app and choose to pay with a code.`}</li>
      <li>{qr ? 'Enter the code, or scan it with the app.' : 'Enter the code.'}</li>
      <li>
        Check that it says <b className="whole">{priceOf(view)}</b>, and confirm there.
      </li>
    </ol>
    <p className="hint">
      This page updates by itself, and the same link opens it again.
      {!view.canLeave && ' You can choose another way to pay when the code has run out.'}
    </p>
    <Leave view={view} />
  </div>
)

interface RedirectProps {
  readonly view: CheckoutView
  readonly step: StepOf<'redirect'>
}

const Redirect = ({ view, step: { url, secondsLeft } }: RedirectProps) => (
  <div className="notice">
    <h1>One more step</h1>
    <p>
      You pay <b className="whole">{priceOf(view)}</b> on the secure page of our payment partner, and come
      back here afterwards.{view.attempt?.method === 'visa' && ` ${view.shopName} does not see your card.`}
    </p>
    <a className="button" href={url} rel="noreferrer">
      Continue to pay
    </a>
    <TimeLeft seconds={secondsLeft}>That page is open for</TimeLeft>
    <p className="hint">Have you paid already? Do not pay again: this page shows the result by itself.</p>
    <Leave view={view} />
  </div>
)

/** The way back to the methods, for a payer who has not paid. */
const Leave = ({ view: { canLeave } }: { readonly view: CheckoutView }) =>
  canLeave && (
    <form method="post">
      <input type="hidden" name="intent" value="leave" />
      <button type="submit" className="back">
        Choose another way to pay
      </button>
    </form>
  )

const TimeLeft = ({ seconds, children }: { readonly seconds: number | null; readonly children: string }) =>
  seconds === null ? null : <p className="left">{`${children} ${timeText(seconds)}`}</p>

/** The margin that a camera needs around a QR code, in modules. */
const MARGIN = 4

function Qr({ qr: { size, path }, label }: { readonly qr: QrDrawing; readonly label: string }) {
  const side = size + 2 * MARGIN
  return (
    <svg
      className="qr"
      role="img"
      aria-label={label}
      viewBox={`${-MARGIN} ${-MARGIN} ${side} ${side}`}
      shapeRendering="crispEdges"
    >
      <rect x={-MARGIN} y={-MARGIN} width={side} height={side} fill="#fff" />
      <path d={path} />
    </svg>
  )
}

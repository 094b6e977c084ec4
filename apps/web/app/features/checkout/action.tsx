import type { CheckoutView, PayerStep, QrDrawing } from '@muripo/contract/checkout'
import { methodNames } from '@muripo/contract/words'
import { codeGroups, fill, messages, timeText } from './messages.ts'
import { priceOf } from './page.tsx'
import { Sentence } from './sentence.tsx'
import { CheckNow } from './updates.tsx'
import { Waiting, type WaitingProps } from './waiting.tsx'

type StepOf<Type extends PayerStep['type']> = Extract<PayerStep, { type: Type }>

/** The step that the payer takes elsewhere: a code in the wallet's app, or a page of the provider. */
export function Action({ view, intent, isStill }: WaitingProps) {
  const step = view.attempt?.step
  if (!view.attempt || !step) return <Waiting view={view} intent={intent} isStill={isStill} />
  const name = methodNames[view.attempt.method]
  return step.type === 'redirect' ? (
    <Redirect view={view} step={step} isStill={isStill} />
  ) : (
    <Code view={view} step={step} name={name} isStill={isStill} />
  )
}

interface CodeProps {
  readonly view: CheckoutView
  readonly step: StepOf<'show_code'>
  readonly name: string
  readonly isStill: boolean
}

const Code = ({ view, step: { code, qr, links, secondsLeft }, name, isStill }: CodeProps) => (
  <div className="notice">
    <h1>{fill(messages.payInApp, { name })}</h1>
    <div className="code">
      <div className="digits">
        <p className="hint">{messages.yourCode}</p>
        <p>
          {codeGroups(code).map((group, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a code does not change, and two groups may be alike
            <span key={place}>{group}</span>
          ))}
        </p>
        <TimeLeft seconds={secondsLeft}>{messages.validFor}</TimeLeft>
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
          <Qr qr={qr} label={fill(messages.qrLabel, { name })} />
          <figcaption className="hint">{fill(messages.scanWith, { name })}</figcaption>
        </figure>
      )}
    </div>
    <ol>
      <li>{fill(messages.openApp, { name })}</li>
      <li>{qr ? messages.enterOrScan : messages.enterCode}</li>
      <li>
        <Sentence
          of={messages.checkAndConfirm}
          values={{ price: <b className="whole">{priceOf(view)}</b> }}
        />
      </li>
    </ol>
    <p className="hint">{messages.updatesAndReopens}</p>
    {!view.canLeave && <p className="hint">{messages.otherWayLater}</p>}
    <Leave view={view} />
    <CheckNow isStill={isStill} />
  </div>
)

interface RedirectProps {
  readonly view: CheckoutView
  readonly step: StepOf<'redirect'>
  readonly isStill: boolean
}

const Redirect = ({ view, step: { url, secondsLeft }, isStill }: RedirectProps) => (
  <div className="notice">
    <h1>One more step</h1>
    <p>
      <Sentence of={messages.paySecurely} values={{ price: <b className="whole">{priceOf(view)}</b> }} />
    </p>
    {view.attempt?.method === 'visa' && <p>{fill(messages.cardIsPrivate, { shop: view.shopName })}</p>}
    <a className="button" href={url} rel="noreferrer">
      {messages.continueToPay}
    </a>
    <TimeLeft seconds={secondsLeft}>{messages.pageOpenFor}</TimeLeft>
    <p className="hint">{messages.paidAlready}</p>
    <Leave view={view} />
    <CheckNow isStill={isStill} />
  </div>
)

/** The way back to the methods, for a payer who has not paid. */
const Leave = ({ view: { canLeave } }: { readonly view: CheckoutView }) =>
  canLeave && (
    <form method="post">
      <input type="hidden" name="intent" value="leave" />
      <button type="submit" className="back">
        {messages.chooseOther}
      </button>
    </form>
  )

const TimeLeft = ({ seconds, children }: { readonly seconds: number | null; readonly children: string }) =>
  seconds === null ? null : <p className="left">{fill(children, { time: timeText(seconds) })}</p>

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

import type { CheckoutView, PayerStep, QrDrawing } from '@muripo/contract/checkout'
import { methodNames } from '@muripo/contract/enums'
import { momentOf } from '@muripo/locales/moment'
import { priceOf } from './page.tsx'
import { Sentence, usePayerText } from './text.tsx'
import { CheckNow, Waiting, type WaitingProps } from './waiting.tsx'

type StepOf<Type extends PayerStep['type']> = Extract<PayerStep, { type: Type }>

/** The payer's next step: a code for the wallet's app, or a page of the provider. */
export function NextStep({ view, intent, isStill }: WaitingProps) {
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

function Code({ view, step: { code, qr, links, until }, name, isStill }: CodeProps) {
  const t = usePayerText()
  return (
    <div className="notice">
      <h1>{t('payInApp', { name })}</h1>
      <div className="code">
        <div className="digits">
          <p className="hint">{t('yourCode')}</p>
          <p>
            {codeGroups(code).map((group, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a code does not change, and two groups may be equal
              <span key={place}>{group}</span>
            ))}
          </p>
          <Until time={until} of="validUntil" />
        </div>
        <div>
          {links.map(({ url }, place) => (
            <a key={url} className={place === 0 ? 'button' : 'back'} href={url}>
              {t(place === 0 ? 'openWithCode' : 'openOlderWithCode', { name })}
            </a>
          ))}
        </div>
        {qr && (
          <figure>
            <Qr qr={qr} label={t('qrLabel', { name })} />
            <figcaption className="hint">{t('scanWith', { name })}</figcaption>
          </figure>
        )}
      </div>
      <ol>
        <li>{t('openApp', { name })}</li>
        <li>{qr ? t('enterOrScan') : t('enterCode')}</li>
        <li>
          <Sentence of="checkAndConfirm" values={{ price: <b className="whole">{priceOf(view)}</b> }} />
        </li>
      </ol>
      <p className="hint">{t('updatesAndReopens')}</p>
      {view.otherWayAt !== null && (
        <p className="until">
          <Sentence of="otherWayFrom" values={{ time: <Clock time={view.otherWayAt} /> }} />
        </p>
      )}
      {!view.canLeave && until === null && <p className="hint">{t('otherWayLater')}</p>}
      <Leave view={view} />
      <CheckNow isStill={isStill} />
    </div>
  )
}

interface RedirectProps {
  readonly view: CheckoutView
  readonly step: StepOf<'redirect'>
  readonly isStill: boolean
}

function Redirect({ view, step: { url, until }, isStill }: RedirectProps) {
  const t = usePayerText()
  return (
    <div className="notice">
      <h1>{t('oneMoreStep')}</h1>
      <p>
        <Sentence of="paySecurely" values={{ price: <b className="whole">{priceOf(view)}</b> }} />
      </p>
      {view.attempt?.method === 'visa' && <p>{t('cardIsPrivate', { shop: view.shopName })}</p>}
      <a className="button" href={url} rel="noreferrer">
        {t('continueToPay')}
      </a>
      <Until time={until} of="pageOpenUntil" />
      <p className="hint">{t('paidAlready')}</p>
      <Leave view={view} />
      <CheckNow isStill={isStill} />
    </div>
  )
}

/** The button that returns to the methods, for a payer who has not paid. */
function Leave({ view: { canLeave } }: { readonly view: CheckoutView }) {
  const t = usePayerText()
  return (
    canLeave && (
      <form method="post">
        <input type="hidden" name="intent" value="leave" />
        <button type="submit" className="back">
          {t('chooseOther')}
        </button>
      </form>
    )
  )
}

const Clock = ({ time }: { readonly time: string }) => <b>{momentOf(new Date(time)).time}</b>

interface UntilProps {
  readonly time: string | null
  readonly of: 'validUntil' | 'pageOpenUntil'
}

const Until = ({ time, of }: UntilProps) =>
  time !== null && (
    <p className="left">
      <Sentence of={of} values={{ time: <Clock time={time} /> }} />
    </p>
  )

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

const GROUP = 3

/** A code in groups, which are easier to read and to type. */
export const codeGroups = (code: string): string[] => {
  const size = code.length % GROUP === 1 && code.length > GROUP ? GROUP + 1 : GROUP
  return code.match(new RegExp(`.{1,${size}}`, 'gu')) ?? []
}

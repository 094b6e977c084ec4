import type { CheckoutView, Prompt } from '@muripo/contract/checkout'
import { methodNames } from '@muripo/contract/enums'
import { momentOf } from '@muripo/locales/moment'
import { priceOf } from './page.tsx'
import { STILL } from './refresh.ts'
import { Sentence, usePayerText } from './text.tsx'

type Attempt = NonNullable<CheckoutView['attempt']>

/** The payer of a card payment waits for the bank, otherwise for the wallet. */
const payeeOf = ({ method }: Attempt) => ({
  payee: method === 'visa' ? 'bank' : 'wallet',
  name: methodNames[method],
})

export interface WaitingProps {
  readonly view: CheckoutView
  /** The intent of the form that led to this page. */
  readonly intent: string | null
  readonly isStill: boolean
}

/** The page of an attempt without a result. It offers no second attempt while the first may still succeed. */
export function Waiting({ view, intent, isStill }: WaitingProps) {
  const t = usePayerText()
  const { attempt } = view
  // A payment without an attempt has nothing to wait for.
  if (attempt === null) return null
  const titleWithoutPhone = attempt.isStarting ? 'oneMoment' : 'checking'
  const title = attempt.phone === null ? titleWithoutPhone : 'confirmOnPhone'
  return (
    <div className="notice">
      <span className="mark amber pulse" aria-hidden="true">
        …
      </span>
      <h1>{t(attempt.isSilent ? 'stillWaiting' : title)}</h1>
      <Answer intent={intent} attempt={attempt} />
      <Explanation view={view} attempt={attempt} />
      {attempt.prompt && <PromptEnd attempt={attempt} prompt={attempt.prompt} />}
      {attempt.prompt && <NoPrompt view={view} prompt={attempt.prompt} />}
      <CheckNow isStill={isStill} />
    </div>
  )
}

interface AnswerProps {
  readonly intent: string | null
  readonly attempt: Attempt
}

/** The result of the payer's form, while the attempt is still open. */
function Answer({ intent, attempt }: AnswerProps) {
  const t = usePayerText()
  const { prompt } = attempt
  const hasSent = intent === 'resend' && prompt !== null && prompt.closesAt !== null
  if (intent === null || intent === 'resume' || hasSent) return null
  const isRefused = intent !== 'check' && prompt !== null
  return (
    <p className="answer" role="alert">
      {t(isRefused ? 'promptStillOpen' : 'notConfirmedYet', payeeOf(attempt))}
    </p>
  )
}

interface ExplanationProps {
  readonly view: CheckoutView
  readonly attempt: Attempt
}

function Explanation({ view, attempt }: ExplanationProps) {
  const t = usePayerText()
  const { phone, prompt, isSilent, isStarting } = attempt
  const payee = payeeOf(attempt)
  const { name } = payee
  if (isSilent)
    return (
      <>
        <p>{t(phone === null ? 'silentAfterPaying' : 'silentAfterPin', payee)}</p>
        <p>{t('notTwice')}</p>
        <p>{t('mayLeave')}</p>
        {view.mailsReceipt && <p>{t('receiptMailed')}</p>}
      </>
    )
  if (phone === null)
    return (
      <>
        <p>{t(isStarting ? 'preparing' : 'waitingForResult', payee)}</p>
        <p className="hint">{t('lessThanMinute')}</p>
      </>
    )
  return (
    <>
      <p>
        <Sentence of="sendingTo" values={{ name, phone: <span className="whole">{phone}</span> }} />
      </p>
      <ol>
        <li>{t('waitForMessage', { name })}</li>
        <li>
          <Sentence of="checkPrice" values={{ price: <b className="whole">{priceOf(view)}</b> }} />
          {prompt && (
            <span className="screen">
              <span className="hint">{t('phoneShows')}</span>
              <span>{view.shopName}</span>
              <b>{priceOf(view)}</b>
            </span>
          )}
        </li>
        <li>{t('enterPin')}</li>
      </ol>
      <p className="hint">{t('lessThanMinute')}</p>
    </>
  )
}

interface PromptEndProps {
  readonly attempt: Attempt
  readonly prompt: Prompt
}

/** The time until which another prompt, method or number would be refused. */
function PromptEnd({ attempt, prompt: { closesAt, isLast } }: PromptEndProps) {
  const t = usePayerText()
  if (closesAt === null) return null
  const values = { name: methodNames[attempt.method], time: <b>{momentOf(new Date(closesAt)).time}</b> }
  return (
    <div className="until">
      <p>
        <Sentence of={isLast ? 'promptClosesLast' : 'promptCloses'} values={values} />
      </p>
      {!isLast && <p>{t('promptDecline')}</p>}
    </div>
  )
}

interface NoPromptProps {
  readonly view: CheckoutView
  readonly prompt: Prompt
}

/** The options of a payer whose phone shows no prompt. A control appears when its refusal is no longer certain. */
function NoPrompt({ view, prompt: { dialIn, closesAt, isLast, canCancel } }: NoPromptProps) {
  const t = usePayerText()
  const mayRepeat = closesAt === null && !isLast
  return (
    <section>
      <h2>{t('noPrompt')}</h2>
      {dialIn !== null && (
        <p>
          <Sentence
            of="dialIn"
            values={{
              code: (
                <a className="whole" href={`tel:${encodeURIComponent(dialIn)}`}>
                  {dialIn}
                </a>
              ),
            }}
          />
        </p>
      )}
      <form method="post">
        {mayRepeat && <Choice intent="resend">{t('resend')}</Choice>}
        <Choice intent="check">{t('havePaid')}</Choice>
        {mayRepeat && <Choice intent="leave">{t('otherNumber')}</Choice>}
        {closesAt === null && canCancel && (
          <button type="submit" name="intent" value="cancel" className="back">
            {t('cancel', { shop: view.shopName })}
          </button>
        )}
      </form>
    </section>
  )
}

const Choice = ({ intent, children }: { readonly intent: string; readonly children: string }) => (
  <button type="submit" name="intent" value={intent} className="choice">
    {children}
  </button>
)

/** Links that reload the page, for a browser without script and for a payer who has stopped the updates. */
export function CheckNow({ isStill }: { readonly isStill: boolean }) {
  const t = usePayerText()
  return isStill ? (
    <>
      <p className="hint">{t('doesNotUpdate')}</p>
      <a className="back" href={`?${STILL}`}>
        {t('checkNow')}
      </a>
    </>
  ) : (
    <noscript>
      <a className="back" href="?">
        {t('checkNow')}
      </a>
      <a className="back" href={`?${STILL}`}>
        {t('stopUpdating')}
      </a>
    </noscript>
  )
}

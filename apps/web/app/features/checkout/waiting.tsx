import type { CheckoutView, Prompt } from '@muripo/contract/checkout'
import { methodNames, type PaymentMethod } from '@muripo/contract/words'
import { fill, messages } from './messages.ts'
import { NoPrompt } from './no-prompt.tsx'
import { priceOf } from './page.tsx'
import { Sentence } from './sentence.tsx'
import { CheckNow } from './updates.tsx'

/** The issuer of a card answers, and not the card. */
const nameOf = (method: PaymentMethod): string =>
  method === 'visa' ? messages.yourBank : methodNames[method]

export interface WaitingProps {
  readonly view: CheckoutView
  /** The intent of the form that led to this page. */
  readonly intent: string | null
  readonly isStill: boolean
}

/** Never says that a payment failed while that is only unknown, and offers no second attempt while the first may still succeed. */
export function Waiting({ view, intent, isStill }: WaitingProps) {
  const { attempt } = view
  const name = attempt ? nameOf(attempt.method) : messages.yourProvider
  const titleWithoutPhone = attempt?.isStarting ? messages.oneMoment : messages.checking
  const title = attempt?.phone === null ? titleWithoutPhone : messages.confirmOnPhone
  return (
    <div className="notice">
      <span className="mark amber pulse" aria-hidden="true">
        …
      </span>
      <h1>{attempt?.isSilent ? messages.stillWaiting : title}</h1>
      <Answer intent={intent} prompt={attempt?.prompt ?? null} name={name} />
      <Explanation view={view} name={name} />
      {attempt?.prompt && <NoPrompt view={view} prompt={attempt.prompt} />}
      <CheckNow isStill={isStill} />
    </div>
  )
}

interface AnswerProps {
  readonly intent: string | null
  readonly prompt: Prompt | null
  readonly name: string
}

/** The result of the payer's form, while the attempt is still open. */
function Answer({ intent, prompt, name }: AnswerProps) {
  const hasSent = intent === 'resend' && prompt !== null && prompt.resendSeconds > 0
  if (intent === null || intent === 'resume' || hasSent) return null
  const isRefused = intent !== 'check' && prompt !== null
  return (
    <p className="answer" role="alert">
      {fill(isRefused ? messages.promptStillOpen : messages.notConfirmedYet, { name })}
    </p>
  )
}

function Explanation({ view, name }: { readonly view: CheckoutView; readonly name: string }) {
  const phone = view.attempt?.phone
  if (view.attempt?.isSilent)
    return (
      <>
        <p>{fill(phone === null ? messages.silentAfterPaying : messages.silentAfterPin, { name })}</p>
        <p>{messages.notTwice}</p>
        <p>{messages.mayLeave}</p>
        {view.mailsReceipt && <p>{messages.receiptMailed}</p>}
      </>
    )
  if (phone === null)
    return (
      <>
        <p>{fill(view.attempt?.isStarting ? messages.preparing : messages.waitingForResult, { name })}</p>
        <p className="hint">{messages.lessThanMinute}</p>
      </>
    )
  return (
    <>
      <p>
        <Sentence
          of={messages.sendingTo}
          values={{ name, phone: <span className="whole">{phone ?? messages.yourPhone}</span> }}
        />
      </p>
      <ol>
        <li>{fill(messages.waitForMessage, { name })}</li>
        <li>
          <Sentence of={messages.checkPrice} values={{ price: <b className="whole">{priceOf(view)}</b> }} />
          {view.attempt?.prompt && (
            <span className="screen">
              <span className="hint">{messages.phoneShows}</span>
              <span>{view.attempt.prompt.shopName}</span>
              <b>{priceOf(view)}</b>
            </span>
          )}
        </li>
        <li>{messages.enterPin}</li>
      </ol>
      <p className="hint">{messages.lessThanMinute}</p>
    </>
  )
}

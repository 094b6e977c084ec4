import type { CheckoutView } from '@muripo/contract/checkout'
import { methodNames, type PaymentMethod } from '@muripo/contract/words'
import { fill, messages } from './messages.ts'
import { priceOf } from './page.tsx'
import { Sentence } from './sentence.tsx'
import { CheckNow } from './updates.tsx'

/** The issuer of a card answers, and not the card. */
const nameOf = (method: PaymentMethod): string =>
  method === 'visa' ? messages.yourBank : methodNames[method]

interface WaitingProps {
  readonly view: CheckoutView
  readonly isStill: boolean
}

/** Never says that a payment failed while that is only unknown, and offers no second attempt while the first may still succeed. */
export function Waiting({ view, isStill }: WaitingProps) {
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
      <Explanation view={view} name={name} />
      <CheckNow isStill={isStill} />
    </div>
  )
}

function Explanation({ view, name }: { readonly view: CheckoutView; readonly name: string }) {
  const phone = view.attempt?.phone
  if (view.attempt?.isSilent)
    return (
      <>
        <p>{fill(phone === null ? messages.silentAfterPaying : messages.silentAfterPin, { name })}</p>
        <p>{messages.mayLeave}</p>
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
        </li>
        <li>{messages.enterPin}</li>
      </ol>
      <p className="hint">{messages.lessThanMinute}</p>
    </>
  )
}

import { type CheckoutView, STILL_WAITING_SECONDS } from '@muripo/contract/checkout'
import { methodNames, type PaymentMethod } from '@muripo/contract/words'
import { priceOf } from './page.tsx'

/** The issuer of a card answers, and not the card. */
const nameOf = (method: PaymentMethod): string => (method === 'visa' ? 'your bank' : methodNames[method])

/** Never says that a payment failed while that is only unknown, and offers no second attempt while the first may still succeed. */
export function Waiting({ view }: { readonly view: CheckoutView }) {
  const { attempt } = view
  const name = attempt ? nameOf(attempt.method) : 'your provider'
  const isLong = attempt !== null && attempt.ageSeconds >= STILL_WAITING_SECONDS
  const titleWithoutPhone = attempt?.isStarting ? 'One moment' : 'Checking your payment'
  const title = attempt?.phone === null ? titleWithoutPhone : 'Confirm on your phone'
  return (
    <div className="notice">
      <span className="mark amber pulse" aria-hidden="true">
        …
      </span>
      <h1>{isLong ? 'Still waiting' : title}</h1>
      <Explanation view={view} name={name} isLong={isLong} />
    </div>
  )
}

interface ExplanationProps {
  readonly view: CheckoutView
  readonly name: string
  readonly isLong: boolean
}

function Explanation({ view, name, isLong }: ExplanationProps) {
  const phone = view.attempt?.phone
  if (isLong)
    return (
      <div role="status">
        <p>
          {`We have not heard from ${name} yet. This happens when the network is slow. If you ${phone === null ? 'have paid' : 'entered your PIN'}, do not pay again: this page shows the result as soon as it is known.`}
        </p>
        <p>You may leave this page open, or come back to it later with the same link.</p>
      </div>
    )
  if (phone === null)
    return (
      <>
        <p>
          {view.attempt?.isStarting
            ? `We are preparing your payment with ${name}.`
            : `We are waiting for the result from ${name}. If you have paid, do not pay again.`}
        </p>
        <p className="hint">It usually takes less than a minute. This page updates by itself.</p>
      </>
    )
  return (
    <>
      <p>
        {`${name} is sending a request to `}
        <span className="whole">{phone ?? 'your phone'}</span>.
      </p>
      <ol>
        <li>{`Wait for the ${name} message on your phone.`}</li>
        <li>
          Check that it says <b className="whole">{priceOf(view)}</b>.
        </li>
        <li>Enter your wallet PIN there to confirm. Never type the PIN on this page.</li>
      </ol>
      <p className="hint">It usually takes less than a minute. This page updates by itself.</p>
    </>
  )
}

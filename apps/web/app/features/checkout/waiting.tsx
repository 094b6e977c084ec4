import type { CheckoutView } from '@muripo/contract/checkout'
import { methodLooks } from './chooser.tsx'
import { STILL_WAITING_SECONDS } from './messages.ts'
import { priceOf } from './page.tsx'

/** Never says that a payment failed while that is only unknown, and offers no second try while the first may still succeed. */
export function Waiting({ view }: { readonly view: CheckoutView }) {
  const { attempt } = view
  const name = attempt ? methodLooks[attempt.method].name : 'your provider'
  const long = attempt !== null && attempt.ageSeconds >= STILL_WAITING_SECONDS
  return (
    <div className="notice">
      <span className="mark amber pulse" aria-hidden="true">
        …
      </span>
      <h1>{long ? 'Still waiting' : 'Confirm on your phone'}</h1>
      {long ? (
        <div role="status">
          <p>
            {`We have not heard from ${name} yet. This happens when the network is slow. If you entered your PIN, do not pay again: this page shows the result as soon as it is known.`}
          </p>
          <p>You may leave this page open, or come back to it later with the same link.</p>
        </div>
      ) : (
        <>
          <p>
            {`${name} is sending a request to `}
            <span className="whole">{attempt?.phone ?? 'your phone'}</span>.
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
      )}
    </div>
  )
}

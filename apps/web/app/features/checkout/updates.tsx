import { messages } from './messages.ts'
import { STILL } from './refresh.ts'

/** Loads the page again, in a browser that runs no script or for a payer who has stopped its updates. */
export const CheckNow = ({ isStill }: { readonly isStill: boolean }) =>
  isStill ? (
    <>
      <p className="hint">{messages.doesNotUpdate}</p>
      <a className="back" href={`?${STILL}`}>
        {messages.checkNow}
      </a>
    </>
  ) : (
    <noscript>
      <a className="back" href="?">
        {messages.checkNow}
      </a>
      <a className="back" href={`?${STILL}`}>
        {messages.stopUpdating}
      </a>
    </noscript>
  )

import { priceText } from '@muripo/contract/amounts'
import type { CheckoutView } from '@muripo/contract/checkout'
import { type ReactNode, useContext } from 'react'
import { ScriptNonce } from '../../lib/page-meta.ts'
import { ANNOUNCER_ID, followScript } from './follow.ts'
import { messages } from './messages.ts'
import type { Moves } from './refresh.ts'

interface PageProps {
  /** The page's changes without an action of its payer; none on a page that stays as it is. */
  readonly moves?: Moves | undefined
  readonly children: ReactNode
}

export const Page = ({ moves, children }: PageProps) => (
  <>
    <main className="card" data-rev={moves?.revision} data-next={moves?.next}>
      {children}
    </main>
    {moves && <Follow />}
    <footer>
      <svg
        width="16"
        height="16"
        viewBox="0 0 32 32"
        fill="none"
        strokeWidth="5"
        strokeLinecap="round"
        aria-hidden="true"
      >
        <path d="M4 26V14.5a6 6 0 0 1 12 0V26" stroke="#0b1324" />
        <path d="M16 26V14.5a6 6 0 0 1 12 0V26" stroke="#ffb020" />
        <path d="M16 26V14.5" stroke="#0b1324" />
      </svg>
      {messages.secured}
    </footer>
  </>
)

/** The live region announces each change of the payment once, and shows that a call has failed. */
function Follow() {
  const nonce = useContext(ScriptNonce)
  return (
    <>
      <p id={ANNOUNCER_ID} className="unseen" role="status" data-trying={messages.trying} />
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own few lines, the same for everybody */}
      <script nonce={nonce} dangerouslySetInnerHTML={{ __html: followScript }} />
    </>
  )
}

export const priceOf = ({ currency, amount }: Pick<CheckoutView, 'currency' | 'amount'>): string =>
  priceText(currency, amount)

export const Bill = ({ view }: { readonly view: CheckoutView }) => (
  <header>
    {view.isTest && <p className="test">{messages.testBadge}</p>}
    <p className="shop">{view.shopName}</p>
    <p className="price">{priceOf(view)}</p>
    <p className="what">{view.description}</p>
    {view.isTest && <p className="note">{messages.testNote}</p>}
  </header>
)

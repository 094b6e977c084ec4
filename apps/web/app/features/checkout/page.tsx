import type { CheckoutView } from '@muripo/contract/checkout'
import type { ReactNode } from 'react'

export const Page = ({ children }: { readonly children: ReactNode }) => (
  <>
    <main className="card">{children}</main>
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
      Secured by Muripo
    </footer>
  </>
)

export const priceOf = ({ currency, amount }: CheckoutView): string => `${currency} ${amount}`

export const Bill = ({ view }: { readonly view: CheckoutView }) => (
  <header>
    {view.isTest && <p className="test">Test</p>}
    <p className="shop">{view.shopName}</p>
    <p className="price">{priceOf(view)}</p>
    <p className="what">{view.description}</p>
    {view.isTest && <p className="note">A test: no real money moves.</p>}
  </header>
)

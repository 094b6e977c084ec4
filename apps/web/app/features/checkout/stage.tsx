import type { CheckoutView, RefusedForm } from '@muripo/contract/checkout'
import type { ReactNode } from 'react'
import { Action } from './action.tsx'
import { Chooser } from './chooser.tsx'
import { failureText } from './messages.ts'
import { priceOf } from './page.tsx'
import { Waiting } from './waiting.tsx'

interface StageProps {
  readonly view: CheckoutView
  readonly refusal: RefusedForm | undefined
}

export function Stage({ view, refusal }: StageProps) {
  switch (view.stage) {
    case 'choose':
      if (view.methods.length === 0) return <NoMethod view={view} />
      return (
        <>
          <h1 className="visually-hidden">{`Pay ${view.shopName}`}</h1>
          <Chooser view={view} refusal={refusal} />
          <Cancel view={view} />
        </>
      )
    case 'action':
      return <Action view={view} />
    case 'waiting':
      return <Waiting view={view} />
    case 'refused':
      return (
        <>
          <div className="bad" role="alert">
            <h1>Not paid</h1>
            <p>{failureText(view.attempt?.failure ?? null, view.attempt?.phone !== null)}</p>
          </div>
          <h2>Try again</h2>
          <Chooser view={view} refusal={refusal} />
          <Cancel view={view} />
        </>
      )
    case 'completed':
      return (
        <Notice mark="✓" tone="good" title="Payment completed">
          <p>{`${view.shopName} has been told that you paid.`}</p>
          {view.continueUrl === null ? (
            <p>You can close this page.</p>
          ) : (
            <>
              <p>We take you back in a few seconds.</p>
              <a className="button" href={view.continueUrl} rel="noreferrer">
                {`Continue to ${view.shopName}`}
              </a>
            </>
          )}
        </Notice>
      )
    case 'cancelled':
      return (
        <Notice mark="–" tone="grey" title="Payment cancelled">
          <p>Nothing was paid, and this link can no longer be used.</p>
          <BackToShop view={view}>{`Back to ${view.shopName}`}</BackToShop>
        </Notice>
      )
    case 'expired':
      return (
        <Notice mark="–" tone="grey" title="This payment link has expired">
          <p>It can no longer be paid. Ask the shop for a new link if you still want to pay.</p>
          <BackToShop view={view}>{`Back to ${view.shopName}`}</BackToShop>
        </Notice>
      )
    case 'refunded':
      return (
        <Notice mark="↩" tone="purple" title="This payment was refunded">
          <p>The money goes back to where it came from. Your provider may take a while to show it.</p>
          <BackToShop view={view}>{`Back to ${view.shopName}`}</BackToShop>
        </Notice>
      )
    case 'unavailable':
      return (
        <>
          <Notice mark="–" tone="grey" title="This cannot be paid at the moment">
            <p>{`${view.shopName} takes no payments right now. Nothing was charged. Please ask the shop how to go on.`}</p>
          </Notice>
          <Cancel view={view} />
        </>
      )
    case 'under_review':
      return (
        <Notice mark="…" tone="amber" title="We are looking into this payment">
          <p>There is nothing for you to do and no need to pay again. The shop will be told how it ends.</p>
          <BackToShop view={view}>{`Back to ${view.shopName}`}</BackToShop>
        </Notice>
      )
  }
}

const NoMethod = ({ view }: { readonly view: CheckoutView }) => (
  <>
    <Notice mark="–" tone="grey" title="There is no way to pay this here yet">
      <p>{`Nothing was charged. Please ask ${view.shopName} how else you can pay ${priceOf(view)}.`}</p>
    </Notice>
    <Cancel view={view} />
  </>
)

interface NoticeProps {
  readonly mark: string
  readonly tone: 'good' | 'grey' | 'purple' | 'amber'
  readonly title: string
  readonly children: ReactNode
}

const Notice = ({ mark, tone, title, children }: NoticeProps) => (
  <div className="notice" role="status">
    <span className={`mark ${tone}`} aria-hidden="true">
      {mark}
    </span>
    <h1>{title}</h1>
    {children}
  </div>
)

const Cancel = ({ view }: { readonly view: CheckoutView }) =>
  view.canCancel && (
    <form method="post">
      <input type="hidden" name="intent" value="cancel" />
      <button type="submit" className="back">
        {`Cancel and go back to ${view.shopName}`}
      </button>
    </form>
  )

const BackToShop = ({ view, children }: { readonly view: CheckoutView; readonly children: string }) =>
  view.continueUrl === null ? null : (
    <a className="back" href={view.continueUrl} rel="noreferrer">
      {children}
    </a>
  )

import type { CheckoutView, RefusedForm } from '@muripo/contract/checkout'
import type { ReactNode } from 'react'
import { Action } from './action.tsx'
import { Chooser } from './chooser.tsx'
import { failureText, fill, messages } from './messages.ts'
import { OtherPhone } from './other-phone.tsx'
import { priceOf } from './page.tsx'
import { STILL } from './refresh.ts'
import { Waiting } from './waiting.tsx'

interface StageProps {
  readonly token: string
  /** The address of this gateway, without a path. */
  readonly origin: string
  readonly view: CheckoutView
  /** The intent of the form that led to this page. */
  readonly intent: string | null
  readonly isStill: boolean
  readonly refusal: RefusedForm | undefined
}

export function Stage({ token, origin, view, intent, isStill, refusal }: StageProps) {
  const shop = view.shopName
  const leaves = view.continues && !isStill
  switch (view.stage) {
    case 'choose':
      if (view.methods.length === 0) return <NoMethod view={view} />
      return (
        <>
          <h1 className="unseen">{fill(messages.title, { shop })}</h1>
          <Chooser view={view} refusal={refusal} />
          <Cancel view={view} />
        </>
      )
    case 'action':
      return (
        <>
          <Action view={view} intent={intent} isStill={isStill} />
          <OtherPhone code={view.resumeCode} origin={origin} />
        </>
      )
    case 'waiting':
      return (
        <>
          <Waiting view={view} intent={intent} isStill={isStill} />
          <OtherPhone code={view.resumeCode} origin={origin} />
        </>
      )
    case 'refused':
      return (
        <>
          <div className="bad" role="alert">
            <h1>{messages.notPaid}</h1>
            <p>{failureText(view.attempt?.failure ?? null, view.attempt?.phone !== null)}</p>
          </div>
          <h2>{messages.tryAgain}</h2>
          <Chooser view={view} refusal={refusal} />
          <Cancel view={view} />
        </>
      )
    case 'completed':
      return (
        <Notice mark="✓" tone="good" title={messages.completed}>
          <p>{fill(messages.shopNotified, { shop })}</p>
          {view.continueUrl === null ? (
            <p>{messages.closePage}</p>
          ) : (
            <>
              {leaves && <p>{messages.takingBack}</p>}
              <a className="button" href={view.continueUrl} rel="noreferrer">
                {fill(messages.continueTo, { shop })}
              </a>
              {leaves && (
                <a className="back" href={`?${STILL}`}>
                  {messages.stayHere}
                </a>
              )}
            </>
          )}
          <ToReceipt token={token} />
        </Notice>
      )
    case 'cancelled':
      return (
        <Notice mark="–" tone="grey" title={messages.cancelled}>
          <p>{messages.cancelledText}</p>
          <BackToShop view={view} />
        </Notice>
      )
    case 'expired':
      return (
        <Notice mark="–" tone="grey" title={messages.expired}>
          <p>{messages.expiredText}</p>
          <BackToShop view={view} />
        </Notice>
      )
    case 'refunded':
      return (
        <Notice mark="↩" tone="purple" title={messages.refunded}>
          <p>{messages.refundedText}</p>
          <ToReceipt token={token} />
          <BackToShop view={view} />
        </Notice>
      )
    case 'unavailable':
      return (
        <>
          <Notice mark="–" tone="grey" title={messages.unavailable}>
            <p>{fill(messages.unavailableText, { shop })}</p>
          </Notice>
          <Cancel view={view} />
        </>
      )
    case 'under_review':
      return (
        <Notice mark="…" tone="amber" title={messages.underReview}>
          <p>{messages.underReviewText}</p>
          <BackToShop view={view} />
        </Notice>
      )
  }
}

const ToReceipt = ({ token }: { readonly token: string }) => (
  <a className="back" href={`/pay/${encodeURIComponent(token)}/receipt`}>
    {messages.receipt}
  </a>
)

const NoMethod = ({ view }: { readonly view: CheckoutView }) => (
  <>
    <Notice mark="–" tone="grey" title={messages.noMethod}>
      <p>{fill(messages.noMethodText, { shop: view.shopName, price: priceOf(view) })}</p>
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
  <div className="notice">
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
        {fill(messages.cancel, { shop: view.shopName })}
      </button>
    </form>
  )

const BackToShop = ({ view }: { readonly view: CheckoutView }) =>
  view.continueUrl === null ? null : (
    <a className="back" href={view.continueUrl} rel="noreferrer">
      {fill(messages.backTo, { shop: view.shopName })}
    </a>
  )

import { priceText } from '@muripo/contract/amounts'
import type { CheckoutView, RefusedForm } from '@muripo/contract/checkout'
import { momentOf } from '@muripo/locales/moment'
import { Chooser } from './chooser.tsx'
import { failureKey } from './failure.ts'
import { NextStep } from './next-step.tsx'
import { Notice, priceOf } from './page.tsx'
import { STILL } from './refresh.ts'
import { Sentence, usePayerText } from './text.tsx'
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

/** The content of the page by the state of the payment. */
export function Stage({ token, origin, view, intent, isStill, refusal }: StageProps) {
  const t = usePayerText()
  const { shopName: shop, stage } = view
  switch (stage) {
    case 'choose':
      if (view.methods.length === 0) return <NoMethod view={view} />
      return (
        <>
          <h1 className="unseen">{t('title', { shop })}</h1>
          <Chooser view={view} refusal={refusal} />
          <Cancel view={view} />
        </>
      )
    case 'refused':
      return (
        <>
          <div className="bad" role="alert">
            <h1>{t('notPaid')}</h1>
            <p>{t(failureKey(view.attempt?.failure ?? null, view.attempt?.phone !== null))}</p>
          </div>
          <h2>{t('tryAgain')}</h2>
          <Chooser view={view} refusal={refusal} />
          <Cancel view={view} />
        </>
      )
    case 'action':
    case 'waiting': {
      const Attempt = stage === 'action' ? NextStep : Waiting
      return (
        <>
          <Attempt view={view} intent={intent} isStill={isStill} />
          <OtherPhone code={view.resumeCode} origin={origin} />
        </>
      )
    }
    case 'unavailable':
      return (
        <>
          <Notice mark="–" tone="grey" title={t('unavailable')}>
            <p>{t('unavailableText', { shop })}</p>
          </Notice>
          <Cancel view={view} />
        </>
      )
    default:
      return <Result stage={stage} token={token} view={view} leaves={view.continues && !isStill} />
  }
}

interface OtherPhoneProps {
  readonly code: string | null
  /** The address of this gateway, without a path. */
  readonly origin: string
}

/** The code for another phone, or the button that requests one. */
function OtherPhone({ code, origin }: OtherPhoneProps) {
  const t = usePayerText()
  return code === null ? (
    <form method="post">
      <input type="hidden" name="intent" value="resume" />
      <button type="submit" className="back">
        {t('otherPhone')}
      </button>
    </form>
  ) : (
    <p className="resume-code">
      <Sentence
        of="otherPhoneCode"
        values={{
          address: <b>{`${origin.replace(/^https?:\/\//, '')}/resume`}</b>,
          code: <b className="whole">{code}</b>,
        }}
      />
    </p>
  )
}

interface ResultProps {
  readonly stage: Exclude<CheckoutView['stage'], 'choose' | 'refused' | 'action' | 'waiting' | 'unavailable'>
  readonly token: string
  readonly view: CheckoutView
  /** Whether the page continues at the shop without an action of its payer. */
  readonly leaves: boolean
}

/** The message of a payment for which its payer has nothing left to do. */
function Result({ stage, token, view, leaves }: ResultProps) {
  const t = usePayerText()
  const shop = view.shopName
  switch (stage) {
    case 'authorized':
      return (
        <Notice mark="✓" tone="good" title={t('authorised')}>
          <p>{t('authorisedText', { shop, price: priceOf(view) })}</p>
          <Onward view={view} leaves={leaves} />
        </Notice>
      )
    case 'completed':
      return (
        <Notice mark="✓" tone="good" title={t('completed')}>
          <p>{t('shopNotified', { shop })}</p>
          <Refunds view={view} />
          <Onward view={view} leaves={leaves} />
          <ToReceipt token={token} />
        </Notice>
      )
    case 'refunded':
      return (
        <Notice mark="↩" tone="purple" title={t('refunded')}>
          <Refunds view={view} />
          <ToReceipt token={token} />
          <BackToShop view={view} />
        </Notice>
      )
    case 'cancelled':
    case 'expired':
      return (
        <Notice mark="–" tone="grey" title={t(stage)}>
          <p>{t(stage === 'cancelled' ? 'cancelledText' : 'expiredText')}</p>
          <BackToShop view={view} />
        </Notice>
      )
    case 'under_review':
      return (
        <Notice mark="…" tone="amber" title={t('underReview')}>
          <p>{t('underReviewText')}</p>
          <BackToShop view={view} />
        </Notice>
      )
  }
}

/** The refunds that the payer has received. */
function Refunds({ view: { receipt, currency } }: { readonly view: CheckoutView }) {
  const t = usePayerText()
  if (!receipt || receipt.refunds.length === 0) return null
  return (
    <>
      {receipt.refunds.map(({ amount, at }) => (
        <p key={at}>
          {t('refundMade', {
            price: priceText(currency, amount),
            moment: t('moment', momentOf(new Date(at))),
          })}
        </p>
      ))}
      <p>{t('refundedText')}</p>
    </>
  )
}

/** The link back to the shop after the payment. */
function Onward({ view, leaves }: { readonly view: CheckoutView; readonly leaves: boolean }) {
  const t = usePayerText()
  if (view.continueUrl === null) return <p>{t('closePage')}</p>
  return (
    <>
      {leaves && <p>{t('takingBack')}</p>}
      <a className="button" href={view.continueUrl} rel="noreferrer">
        {t('continueTo', { shop: view.shopName })}
      </a>
      {leaves && (
        <a className="back" href={`?${STILL}`}>
          {t('stayHere')}
        </a>
      )}
    </>
  )
}

function ToReceipt({ token }: { readonly token: string }) {
  const t = usePayerText()
  return (
    <a className="back" href={`/pay/${encodeURIComponent(token)}/receipt`}>
      {t('receipt')}
    </a>
  )
}

function NoMethod({ view }: { readonly view: CheckoutView }) {
  const t = usePayerText()
  return (
    <>
      <Notice mark="–" tone="grey" title={t('noMethod')}>
        <p>{t('noMethodText', { shop: view.shopName, price: priceOf(view) })}</p>
      </Notice>
      <Cancel view={view} />
    </>
  )
}

function Cancel({ view }: { readonly view: CheckoutView }) {
  const t = usePayerText()
  return (
    view.canCancel && (
      <form method="post">
        <input type="hidden" name="intent" value="cancel" />
        <button type="submit" className="back">
          {t('cancel', { shop: view.shopName })}
        </button>
      </form>
    )
  )
}

function BackToShop({ view }: { readonly view: CheckoutView }) {
  const t = usePayerText()
  return view.continueUrl === null ? null : (
    <a className="back" href={view.continueUrl} rel="noreferrer">
      {t('backTo', { shop: view.shopName })}
    </a>
  )
}

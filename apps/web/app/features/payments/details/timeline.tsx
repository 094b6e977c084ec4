import { Skeleton } from '@mantine/core'
import type { TimelineEntry } from '@muripo/contract/dashboard-payments'
import type { StatusReason } from '@muripo/contract/payments'
import { useTimeZone } from '../../../api/account.ts'
import { BusyButton } from '../../../components/button.tsx'
import { amountText, exactText, methodLabel, whenText } from '../../../lib/format.ts'
import styles from './timeline.module.css'

interface TimelineProps {
  /** Undefined while the entries are loading. */
  readonly entries: readonly TimelineEntry[] | undefined
  readonly currency: string
  readonly error: string | null
  readonly onRetry: () => void
  readonly retrying: boolean
}

/** The timeline of the payment, the earliest entry first. */
export const Timeline = ({ entries, currency, error, onRetry, retrying }: TimelineProps) => (
  <section aria-labelledby="payment-timeline">
    <h3 id="payment-timeline" className={styles.title}>
      Timeline
    </h3>
    {entries ? (
      <ol className={styles.entries}>
        {entries.map((entry, index) => (
          // The order of two entries with the same time tells them apart.
          // biome-ignore lint/suspicious/noArrayIndexKey: nothing is ever put between two entries
          <Entry key={`${entry.kind} ${entry.at} ${index}`} entry={entry} currency={currency} />
        ))}
      </ol>
    ) : error === null ? (
      <TimelineSkeleton />
    ) : (
      <div className={styles.error} role="alert">
        <p>{error}</p>
        <BusyButton variant="default" running={retrying} onClick={onRetry}>
          Try Again
        </BusyButton>
      </div>
    )}
  </section>
)

function Entry({ entry, currency }: { readonly entry: TimelineEntry; readonly currency: string }) {
  const { title, text, tone } = timelineText(entry, currency)
  const timeZone = useTimeZone()
  return (
    <li className={styles.entry} data-tone={tone}>
      <p className={styles.what}>{title}</p>
      {text && <p className={styles.text}>{text}</p>}
      <p className={styles.when}>
        <time dateTime={entry.at} title={exactText(entry.at, timeZone)}>
          {whenText(entry.at, timeZone)}
        </time>
      </p>
    </li>
  )
}

const TimelineSkeleton = () => (
  <div role="status" aria-label="Loading the timeline" className={styles.entries}>
    {['a', 'b', 'c'].map((entry) => (
      <div key={entry} className={`${styles.entry} ${styles.skeleton}`}>
        <Skeleton h={14} w={156} my={4} />
        <Skeleton h={12} w={188} my={4} />
        <Skeleton h={11} w={104} my={4} />
      </div>
    ))}
  </div>
)

/** The reason of a payment's status, for the owner of the shop. */
export const reasonTexts: Readonly<Record<StatusReason, string>> = {
  awaiting_payer: 'The customer has not confirmed it yet.',
  checking: 'The provider gave no clear answer. We keep asking, and nothing is charged twice.',
  under_review: 'Something about this payment does not fit. A person is looking into it.',
  insufficient_funds: 'The customer did not have enough money.',
  wrong_pin: 'The customer entered a wrong PIN.',
  user_cancelled: 'The customer cancelled it.',
  cancelled: 'It was cancelled before it was paid.',
  expired: 'The customer did not confirm it in time.',
  limit_exceeded: 'The amount is over the limit of the customer.',
  barred: 'The customer’s account is blocked. They can ask their provider about it.',
  declined: 'The provider declined it and gave no reason.',
  provider_unavailable: 'The provider could not be reached, so nothing was charged.',
}

const REFUSED = 'The provider refused the refund and gave no reason.'

/** Why a refund did not go through. */
export const refundReasonTexts: Readonly<Record<StatusReason, string>> = {
  awaiting_payer: REFUSED,
  checking: REFUSED,
  under_review: REFUSED,
  insufficient_funds: 'The provider does not hold enough money to pay it back right now.',
  wrong_pin: REFUSED,
  user_cancelled: 'The refund was cancelled at the provider.',
  cancelled: REFUSED,
  expired: 'The refund never reached the provider.',
  limit_exceeded: 'The amount is over what the customer may receive.',
  barred: 'The customer’s account cannot receive money right now.',
  declined: REFUSED,
  provider_unavailable: 'The provider could not be reached.',
}

export interface TimelineText {
  readonly title: string
  readonly text: string | null
  readonly tone: 'grey' | 'yellow' | 'green' | 'red' | 'purple'
}

export function timelineText(entry: TimelineEntry, currency: string): TimelineText {
  switch (entry.kind) {
    case 'created':
      return { title: 'Payment created', text: null, tone: 'grey' }
    case 'prompt_sent':
      return {
        title: entry.phone === null ? 'Payment started' : 'Payment request sent',
        text: triedBy(entry),
        tone: 'grey',
      }
    case 'waiting':
      return {
        title: 'Waiting for the customer',
        text: referring(reasonTexts.awaiting_payer, entry),
        tone: 'yellow',
      }
    case 'checking':
      return { title: 'Not certain yet', text: referring(reasonTexts.checking, entry), tone: 'yellow' }
    case 'under_review':
      return { title: 'Under review', text: referring(reasonTexts.under_review, entry), tone: 'yellow' }
    case 'attempt_failed':
      return { title: 'Not paid', text: referring(reasonTexts[entry.reason], entry), tone: 'red' }
    case 'paid_twice':
      return {
        title: 'Paid a second time',
        text: `${withReference(triedBy(entry), entry)}. What came besides is not yours. It goes back to the customer, and there is nothing for you to do.`,
        tone: 'yellow',
      }
    case 'cancel_requested':
      return {
        title: 'Cancellation requested',
        text: 'A payment request was under way. It is waited for, and no other is sent.',
        tone: 'grey',
      }
    case 'cancelled':
      return { title: 'Payment cancelled', text: 'It can no longer be paid.', tone: 'red' }
    case 'expired':
      return {
        title: 'Payment link expired',
        text: 'It can no longer be paid. Create a new payment if the customer still wants to pay.',
        tone: 'grey',
      }
    case 'completed':
      return {
        title: 'Payment completed',
        text: withReference(methodLabel(entry.method), entry),
        tone: 'green',
      }
    case 'refund_requested':
      return { title: 'Refund requested', text: amountText(currency, entry.amount), tone: 'grey' }
    case 'refund_checking':
      return {
        title: 'Refund on its way',
        text: `${amountText(currency, entry.amount)}. The provider has not confirmed it yet. We keep asking, and it is never paid twice.`,
        tone: 'yellow',
      }
    case 'refund_with_operator':
      return {
        title: 'Refund with the operator',
        text: `${amountText(currency, entry.amount)}. A person sends it by hand and confirms it here. It is never paid twice.`,
        tone: 'yellow',
      }
    case 'refund_failed':
      return {
        title: 'Refund failed',
        text: `${amountText(currency, entry.amount)}. ${whyNotRefunded(entry)} The money is still yours.`,
        tone: 'red',
      }
    case 'refunded':
      return {
        title: 'Refunded',
        text: withReference(amountText(currency, entry.amount), entry),
        tone: 'purple',
      }
  }
}

const whyNotRefunded = ({
  reason,
  explanation,
}: Extract<TimelineEntry, { kind: 'refund_failed' }>): string =>
  explanation === null
    ? refundReasonTexts[reason]
    : `It could not be sent by hand: “${explanation.replace(/\.$/, '')}”.`

type Referred = { readonly reference: string | null }

interface Tried {
  readonly method: string
  readonly phone: string | null
}

const triedBy = ({ method, phone }: Tried): string =>
  phone === null ? methodLabel(method) : `${methodLabel(method)}, ${phone}`

const withReference = (what: string, { reference }: Referred): string =>
  reference === null ? what : `${what}, reference ${reference}`

const referring = (sentence: string, { reference }: Referred): string =>
  reference === null ? sentence : `${sentence} Reference ${reference}.`

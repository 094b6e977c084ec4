import type { TimelineEntry } from '@muripo/contract/dashboard-payments'
import type { StatusReason } from '@muripo/contract/payments'
import type { payments } from '@muripo/locales/payments'
import { useDashboardText } from '../lib/dashboard-text.ts'
import { amountText } from '../lib/format.ts'
import { type PaymentsText, usePaymentsText } from '../lib/payments-text.ts'
import { type Formats, useFormats } from '../lib/use-formats.ts'
import styles from './timeline.module.css'
import { Button } from './ui/button.tsx'
import { font, grid } from './ui/classes.ts'
import { Skeleton } from './ui/skeleton.tsx'

interface TimelineProps {
  /** Undefined while the entries are loading. */
  readonly entries: readonly TimelineEntry[] | undefined
  readonly currency: string
  readonly error: string | null
  readonly onRetry: () => void
  readonly retrying: boolean
  /** The form of its times, where it is not that of the dashboard. */
  readonly when?: (at: string) => string
}

/** The timeline of the payment, the earliest entry first. */
export function Timeline({ entries, currency, error, onRetry, retrying, when }: TimelineProps) {
  const t = usePaymentsText()
  const dashboard = useDashboardText()
  // Another host than Muripo's has none.
  if (entries?.length === 0) return null
  return (
    <section aria-labelledby="payment-timeline">
      <h3 id="payment-timeline" className={font('sm', 'regular', 'quiet', 'line22')}>
        {t('timeline')}
      </h3>
      {entries ? (
        <ol className={`${styles.entries} ${grid('list')}`}>
          {entries.map((entry, index) => (
            // Two entries may have the same kind and time.
            // biome-ignore lint/suspicious/noArrayIndexKey: no entry is ever inserted between two others
            <Entry key={`${entry.kind} ${entry.at} ${index}`} entry={entry} currency={currency} when={when} />
          ))}
        </ol>
      ) : error === null ? (
        <TimelineSkeleton />
      ) : (
        <div className={`${styles.error} ${grid('gap12', 'above8')} ${font('md')}`} role="alert">
          <p>{error}</p>
          <Button kind="default" running={retrying} onClick={onRetry}>
            {dashboard('retry')}
          </Button>
        </div>
      )}
    </section>
  )
}

interface EntryProps {
  readonly entry: TimelineEntry
  readonly currency: string
  readonly when: TimelineProps['when'] | undefined
}

function Entry({ entry, currency, when }: EntryProps) {
  const t = usePaymentsText()
  const { exactText, methodLabel, whenText } = useFormats()
  const shown: TimelineText | undefined = timelineText(entry, currency, t, methodLabel)
  // A newer server may know further kinds of entries.
  if (shown === undefined) return null
  const { title, text, tone } = shown
  return (
    <li className={styles.entry} data-tone={tone}>
      <p className={font('md', 'medium', 'line22')}>{t(title)}</p>
      {text && <p className={font('sm', 'anywhere', 'line20')}>{text}</p>}
      <p className={`${styles.when} ${font('xs', 'quiet', 'numbers', 'line20')}`}>
        <time dateTime={entry.at} title={exactText(entry.at)}>
          {(when ?? whenText)(entry.at)}
        </time>
      </p>
    </li>
  )
}

function TimelineSkeleton() {
  const t = usePaymentsText()
  return (
    <div role="status" aria-label={t('loadingTimeline')} className={styles.entries}>
      {['a', 'b', 'c'].map((entry) => (
        <div key={entry} className={`${styles.entry} ${grid()}`}>
          <Skeleton h={14} w={156} my={4} />
          <Skeleton h={12} w={188} my={4} />
          <Skeleton h={11} w={104} my={4} />
        </div>
      ))}
    </div>
  )
}

export interface TimelineText {
  readonly title: Exclude<Extract<keyof typeof payments, `entry${string}`>, `${string}Text`>
  readonly text: string | null
  readonly tone: 'grey' | 'yellow' | 'green' | 'red' | 'purple'
}

/** The texts of the values of an entry. */
function entryValues(currency: string, t: PaymentsText, methodLabel: Formats['methodLabel']) {
  return {
    amountOf: ({ amount }: { readonly amount: number }): string => amountText(currency, amount),
    payerOf: ({ method, phone }: { readonly method: string; readonly phone: string | null }): string =>
      phone === null ? methodLabel(method) : t('methodAndPhone', { method: methodLabel(method), phone }),
    withReference: (text: string, { reference }: Referred): string =>
      reference === null ? text : t('withReference', { text, reference }),
    reasonText(reason: StatusReason, { reference }: Referred): string {
      const text = t('paymentReason', { reason })
      return reference === null ? text : t('referenceAfter', { text, reference })
    },
  }
}

type Referred = { readonly reference: string | null }
type EntryValues = ReturnType<typeof entryValues>
type RefundEntry = Extract<TimelineEntry, { kind: `refund${string}` }>
type ReversalEntry = Extract<TimelineEntry, { kind: `revers${string}` }>

export function timelineText(
  entry: TimelineEntry,
  currency: string,
  t: PaymentsText,
  methodLabel: Formats['methodLabel'],
): TimelineText {
  const values = entryValues(currency, t, methodLabel)
  if (isReversalEntry(entry)) return reversalText(entry, t, values)
  return isRefundEntry(entry) ? refundText(entry, t, values) : paymentText(entry, t, values, methodLabel)
}

const isRefundEntry = (entry: TimelineEntry): entry is RefundEntry => entry.kind.startsWith('refund')
const isReversalEntry = (entry: TimelineEntry): entry is ReversalEntry => entry.kind.startsWith('revers')

function paymentText(
  entry: Exclude<TimelineEntry, RefundEntry | ReversalEntry>,
  t: PaymentsText,
  { amountOf, payerOf, withReference, reasonText }: EntryValues,
  methodLabel: Formats['methodLabel'],
): TimelineText {
  switch (entry.kind) {
    case 'created':
      return { title: 'entryCreated', text: null, tone: 'grey' }
    case 'prompt_sent': {
      const title = entry.phone === null ? 'entryStarted' : 'entryRequestSent'
      return { title, text: payerOf(entry), tone: 'grey' }
    }
    case 'waiting':
      return { title: 'entryWaiting', text: reasonText('awaiting_payer', entry), tone: 'yellow' }
    case 'checking':
      return { title: 'entryChecking', text: reasonText('checking', entry), tone: 'yellow' }
    case 'under_review':
      return { title: 'entryUnderReview', text: reasonText('under_review', entry), tone: 'yellow' }
    case 'attempt_failed':
      return { title: 'entryNotPaid', text: reasonText(entry.reason, entry), tone: 'red' }
    case 'paid_twice': {
      const text = t('entryPaidTwiceText', { text: withReference(payerOf(entry), entry) })
      return { title: 'entryPaidTwice', text, tone: 'yellow' }
    }
    case 'cancel_requested':
      return { title: 'entryCancelRequested', text: t('entryCancelRequestedText'), tone: 'grey' }
    case 'cancelled':
      return { title: 'entryCancelled', text: t('entryCancelledText'), tone: 'red' }
    case 'expired':
      return { title: 'entryExpired', text: t('entryExpiredText'), tone: 'grey' }
    case 'authorized':
      return { title: 'entryAuthorised', text: reasonText('awaiting_capture', entry), tone: 'yellow' }
    case 'capture_requested':
      return { title: 'entryCaptureRequested', text: amountOf(entry), tone: 'grey' }
    case 'authorization_expired':
      return { title: 'entryAuthorisationExpired', text: t('entryAuthorisationExpiredText'), tone: 'grey' }
    case 'completed': {
      const text = withReference(methodLabel(entry.method), entry)
      return { title: 'entryCompleted', text, tone: 'green' }
    }
  }
}

function refundText(
  entry: RefundEntry,
  t: PaymentsText,
  { amountOf, withReference }: EntryValues,
): TimelineText {
  const amount = amountOf(entry)
  switch (entry.kind) {
    case 'refund_requested':
      return { title: 'entryRefundRequested', text: amount, tone: 'grey' }
    case 'refund_checking':
      return { title: 'entryRefundChecking', text: t('entryRefundCheckingText', { amount }), tone: 'yellow' }
    case 'refund_with_operator': {
      const text = t('entryRefundWithOperatorText', { amount })
      return { title: 'entryRefundWithOperator', text, tone: 'yellow' }
    }
    case 'refund_failed': {
      const reason =
        entry.explanation === null
          ? t('refundReason', { reason: entry.reason })
          : t('refundNotByHand', { explanation: entry.explanation.replace(/\.$/, '') })
      return { title: 'entryRefundFailed', text: t('entryRefundFailedText', { amount, reason }), tone: 'red' }
    }
    case 'refund_bounced':
      return { title: 'entryRefundBounced', text: t('entryRefundBouncedText', { amount }), tone: 'yellow' }
    case 'refunded':
      return { title: 'entryRefunded', text: withReference(amount, entry), tone: 'purple' }
  }
}

function reversalText(entry: ReversalEntry, t: PaymentsText, { amountOf }: EntryValues): TimelineText {
  switch (entry.kind) {
    case 'reversed': {
      const { amount } = entry
      const text =
        amount === null
          ? t('entryReversedUnknownText')
          : t('entryReversedText', { amount: amountOf({ amount }) })
      return { title: 'entryReversed', text, tone: 'yellow' }
    }
    case 'reversal_booked':
      return { title: 'entryReversalBooked', text: amountOf(entry), tone: 'red' }
    case 'reversal_dismissed':
      return { title: 'entryReversalDismissed', text: t('entryReversalDismissedText'), tone: 'grey' }
    case 'reversal_undone':
      return { title: 'entryReversalUndone', text: amountOf(entry), tone: 'green' }
  }
}

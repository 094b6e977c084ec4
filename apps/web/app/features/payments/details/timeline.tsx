import { Skeleton } from '@mantine/core'
import type { TimelineEntry } from '@muripo/contract/dashboard-payments'
import { useTimeZone } from '../../../api/account.ts'
import { BusyButton } from '../../../components/button.tsx'
import { exactText, whenText } from '../../../lib/format.ts'
import styles from './timeline.module.css'
import { timelineText } from './timeline-text.ts'

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

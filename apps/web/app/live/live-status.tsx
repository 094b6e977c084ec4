import styles from './live.module.css'
import { useLive, useUpdatedRecently } from './live.tsx'

const words = { reconnecting: 'Reconnecting…', paused: 'Live updates paused' } as const

/** Stands below the page's actions while nothing appears by itself, and says nothing while all is well. */
export function ConnectionStatus() {
  const { loss } = useLive()
  return (
    <p className={styles.sign} role="status">
      {loss && words[loss]}
    </p>
  )
}

export function LiveAnnouncement() {
  const { announcement } = useLive()
  return (
    <p className={styles.unseen} role="status">
      {announcement}
    </p>
  )
}

interface UpdatedBadgeProps {
  readonly paymentId: string
  /** Where it stands: in a place that nothing else needs, because it comes and goes. */
  readonly className?: string | undefined
}

/** Says for a while that a payment changed by itself. */
export function UpdatedBadge({ paymentId, className = '' }: UpdatedBadgeProps) {
  const stage = useUpdatedRecently(paymentId)
  return (
    stage && (
      <span className={`${styles.mark} ${className}`} data-stage={stage}>
        Updated
      </span>
    )
  )
}

import styles from './live.module.css'
import { useLive, useUpdatedRecently } from './live.tsx'

const words = { reconnecting: 'Reconnecting…', paused: 'Live updates paused' } as const

/** A notice below the page's actions while no updates arrive; empty otherwise. */
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
  /** The position of the badge: in a place that nothing else needs, because it comes and goes. */
  readonly className?: string | undefined
}

/** Marks a payment that was updated a moment ago. */
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

import { VisuallyHidden } from '@mantine/core'
import styles from './live.module.css'
import { useLive, useUpdatedRecently } from './live.tsx'

const texts = { reconnecting: 'Reconnecting…', paused: 'Live updates paused' } as const

/** A notice below the page's actions while no updates arrive; empty otherwise. */
export function ConnectionStatus() {
  const { loss } = useLive()
  return (
    <p className={styles.status} role="status">
      {loss && texts[loss]}
    </p>
  )
}

export function LiveAnnouncement() {
  const { announcement } = useLive()
  return (
    <VisuallyHidden component="p" role="status">
      {announcement}
    </VisuallyHidden>
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
      <span className={`${styles.badge} ${className}`} data-stage={stage}>
        Updated
      </span>
    )
  )
}

import styles from './live.module.css'
import { useLive } from './live.tsx'

const words = { reconnecting: 'Reconnecting…', paused: 'Live updates paused' } as const

/** Stands below the page's actions while nothing appears by itself, and says nothing while all is well. */
export function LiveSign() {
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

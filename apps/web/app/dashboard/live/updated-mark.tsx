import styles from './live.module.css'
import { useUpdatedRecently } from './live.tsx'

interface UpdatedMarkProps {
  readonly paymentId: string
  /** Where it stands: in a place that nothing else needs, because it comes and goes. */
  readonly className?: string | undefined
}

/** Says for a while that a payment changed by itself. */
export function UpdatedMark({ paymentId, className = '' }: UpdatedMarkProps) {
  const stage = useUpdatedRecently(paymentId)
  return (
    stage && (
      <span className={`${styles.mark} ${className}`} data-stage={stage}>
        Updated
      </span>
    )
  )
}

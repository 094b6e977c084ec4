import { useFormats } from '../../lib/use-formats.ts'
import styles from './status-badge.module.css'

interface StatusBadgeProps {
  readonly tone: 'green' | 'yellow' | 'red' | 'purple' | 'grey'
  readonly children: string
}

/** A status as a dot and a text: its colour alone has no meaning. */
export function StatusBadge({ tone, children }: StatusBadgeProps) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {children}
    </span>
  )
}

const paymentTones: Readonly<Record<string, StatusBadgeProps['tone']>> = {
  completed: 'green',
  pending: 'yellow',
  failed: 'red',
  refunded: 'purple',
}

export const paymentTone = (status: string): StatusBadgeProps['tone'] =>
  paymentTones[status.toLowerCase()] ?? 'grey'

export function PaymentStatusBadge({ status }: { readonly status: string }) {
  const { statusText } = useFormats()
  return <StatusBadge tone={paymentTone(status)}>{statusText(status)}</StatusBadge>
}

import { Button, Modal } from '@mantine/core'
import type { DashboardPayment } from '@muripo/contract/payments'
import { amountText } from '../../../lib/format.ts'
import styles from './details.module.css'

interface ConfirmRefundProps {
  readonly payment: DashboardPayment
  readonly opened: boolean
  readonly running: boolean
  readonly error: string | null
  readonly onConfirm: () => void
  readonly onClose: () => void
}

export const ConfirmRefund = ({
  payment,
  opened,
  running,
  error,
  onConfirm,
  onClose,
}: ConfirmRefundProps) => (
  <Modal
    opened={opened}
    onClose={() => running || onClose()}
    title="Confirm Refund"
    size={440}
    withCloseButton={!running}
    closeOnEscape={!running}
    closeOnClickOutside={!running}
  >
    <p className={styles.question}>Are you sure?</p>
    <p className={styles.consequence}>
      {`This will refund ${amountText(payment.currency, payment.amount)} for payment ${payment.paymentId}. This action cannot be undone.`}
    </p>
    {error && (
      <p className={styles.bad} role="alert">
        {error}
      </p>
    )}
    <div className={styles.answers}>
      <Button variant="default" onClick={onClose} disabled={running}>
        Cancel
      </Button>
      <Button color="danger" onClick={onConfirm} disabled={running}>
        {running ? 'Refunding...' : 'Yes, Refund Payment'}
      </Button>
    </div>
  </Modal>
)

import { Button, Modal } from '@mantine/core'
import type { DashboardPayment } from '@muripo/contract/payments'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { amountText, dateText, methodLabel } from '../../../lib/format.ts'
import { PaymentStatusBadge } from '../../../ui/status-badge.tsx'
import { dashboardToast } from '../../../ui/toast.ts'
import { paymentsKey } from '../payments-api.ts'
import { ConfirmRefund } from './confirm-refund.tsx'
import styles from './details.module.css'
import { refund } from './refund.ts'

interface PaymentDialogProps {
  /** Null while no payment is open. */
  readonly payment: DashboardPayment | null
  /** Refunded here since the page was opened: the list may still show them as they were. */
  readonly refunded: ReadonlySet<string>
  readonly onRefunded: (id: string) => void
  readonly onClose: () => void
}

const EXIT_MS = 300

export function PaymentDialog({ payment, refunded, onRefunded, onClose }: PaymentDialogProps) {
  // The payment stays while the dialog fades; reset only once it is gone.
  const [shown, setShown] = useState(payment)
  const [asking, setAsking] = useState(false)
  if (payment !== null && payment !== shown) setShown(payment)
  return (
    <Modal
      opened={payment !== null}
      onClose={onClose}
      title="Payment Details"
      // Escape answers the question on top, not the dialog below it.
      closeOnEscape={!asking}
      size={520}
      transitionProps={{ transition: 'pop', duration: 200, exitDuration: EXIT_MS }}
      onExitTransitionEnd={() => {
        setShown(null)
        setAsking(false)
      }}
    >
      {shown && (
        <Details
          key={shown._id}
          payment={shown}
          refundable={shown.status === 'COMPLETED' && !refunded.has(shown._id)}
          onRefunded={() => onRefunded(shown._id)}
          asking={asking}
          onAsk={setAsking}
        />
      )}
    </Modal>
  )
}

const RELOAD_DELAY_MS = 1000
const REFUND_FAILED = 'Failed to refund payment. Please try again later.'

interface DetailsProps {
  readonly payment: DashboardPayment
  readonly refundable: boolean
  readonly onRefunded: () => void
  readonly asking: boolean
  readonly onAsk: (asking: boolean) => void
}

function Details({ payment, refundable, onRefunded, asking, onAsk }: DetailsProps) {
  const cache = useQueryClient()
  const refunding = useMutation({
    mutationFn: () => refund(payment),
    onSuccess: (worked) => {
      if (!worked) return dashboardToast.error(REFUND_FAILED)
      onAsk(false)
      onRefunded()
      dashboardToast.success(refundedText(payment))
      setTimeout(() => {
        void cache.invalidateQueries({ queryKey: paymentsKey })
        void cache.invalidateQueries({ queryKey: ['stats'] })
      }, RELOAD_DELAY_MS)
    },
    onError: () => dashboardToast.error(REFUND_FAILED),
  })
  const failed = refunding.isError || refunding.data === false
  return (
    <>
      <div className={styles.headline}>
        <p className={styles.figure}>{amountText(payment.currency, payment.amount)}</p>
        <PaymentStatusBadge status={payment.status} />
      </div>
      <dl className={styles.facts}>
        <Fact name="Payment ID">{payment.paymentId}</Fact>
        <Fact name="Method">{methodLabel(payment.method)}</Fact>
        <Fact name="Payment Method Reference">{payment.paymentMethodReference ?? 'null'}</Fact>
        <Fact name="Purpose">{payment.purposeDescription}</Fact>
        <Fact name="Customer Phone">{payment.customerPhoneNumber ?? 'Not given'}</Fact>
        <Fact name="Created">{dateText(payment.createdAt)}</Fact>
        <Fact name="Transaction ID">{payment._id}</Fact>
      </dl>
      {refunding.data === true && (
        <p className={styles.good} role="status">
          {refundedText(payment)}
        </p>
      )}
      {refundable && (
        <Button variant="default" fullWidth mt={20} onClick={() => onAsk(true)}>
          Refund Payment
        </Button>
      )}
      <ConfirmRefund
        payment={payment}
        opened={asking}
        running={refunding.isPending}
        error={failed ? REFUND_FAILED : null}
        onConfirm={() => refunding.mutate()}
        onClose={() => onAsk(false)}
      />
    </>
  )
}

const refundedText = (payment: DashboardPayment) =>
  `Payment ${payment.paymentId} has been successfully refunded.`

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

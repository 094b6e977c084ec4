import { Button, Skeleton } from '@mantine/core'
import type { DashboardPayment } from '@muripo/contract/payments'
import type { ReactNode } from 'react'
import { amountText } from '../../../lib/format.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { IconPrinter } from '../../../ui/icons.ts'
import { PaymentStatusBadge } from '../../../ui/status-badge.tsx'
import { ConfirmRefund } from './confirm-refund.tsx'
import styles from './details.module.css'
import { REFUND_FAILED, refundedText, useIsRefunded, useRefund } from './details-api.ts'
import { Facts, FactsSkeleton } from './facts.tsx'
import { linkTo } from './payment-link.ts'

interface PaymentDetailsProps {
  readonly payment: DashboardPayment
  /** Whether the question about the refund is on the screen. */
  readonly asking: boolean
  readonly onAsk: (asking: boolean) => void
  /** Stands beside the facts. */
  readonly children: ReactNode
}

export function PaymentDetails({ payment, asking, onAsk, children }: PaymentDetailsProps) {
  const refunding = useRefund(() => onAsk(false))
  const isRefunded = useIsRefunded(payment)
  const isRefundable = payment.status === 'COMPLETED' && !isRefunded
  return (
    <>
      <div className={styles.headline}>
        <p className={styles.figure}>{amountText(payment.currency, payment.amount)}</p>
        <PaymentStatusBadge status={payment.status} />
      </div>
      <div className={styles.columns}>
        <Facts payment={payment} />
        {children}
      </div>
      {refunding.isSuccess && (
        <p className={styles.good} role="status">
          {refundedText(payment)}
        </p>
      )}
      <p className={styles.issuer}>{payment.applicationName}</p>
      <div className={styles.actions}>
        <CopyButton text={linkTo(payment.paymentId)} what="link" label="Copy link" />
        <Button
          variant="default"
          leftSection={<IconPrinter size={18} stroke={1.75} aria-hidden />}
          onClick={() => window.print()}
        >
          Print
        </Button>
        {isRefundable && (
          <Button variant="default" className={styles.refund ?? ''} onClick={() => onAsk(true)}>
            Refund Payment
          </Button>
        )}
      </div>
      <ConfirmRefund
        payment={payment}
        opened={asking}
        running={refunding.isPending}
        error={refunding.isError ? REFUND_FAILED : null}
        onConfirm={() => refunding.mutate(payment)}
        onClose={() => onAsk(false)}
      />
    </>
  )
}

export const DetailsSkeleton = ({ children }: { readonly children: ReactNode }) => (
  <div aria-busy="true">
    <div className={styles.headline}>
      <Skeleton h={29} w={148} my={8} />
      <Skeleton h={24} w={104} radius={999} />
    </div>
    <div className={styles.columns}>
      <FactsSkeleton />
      {children}
    </div>
    <div className={styles.actions}>
      <Skeleton h={42} w={124} />
      <Skeleton h={42} w={96} />
    </div>
  </div>
)

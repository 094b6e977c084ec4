import { Button, Skeleton } from '@mantine/core'
import type { DashboardPayment, PaymentDetails as Details } from '@muripo/contract/dashboard-payments'
import type { ReactNode } from 'react'
import { REFUND_FAILED } from '../../../api/payments.ts'
import { CopyButton } from '../../../components/copy-button.tsx'
import { IconPrinter } from '../../../components/icons.ts'
import { PaymentStatusBadge } from '../../../components/status-badge.tsx'
import { amountText } from '../../../lib/format.ts'
import { partlyRefunded } from '../../../lib/payment-text.ts'
import styles from './details.module.css'
import { Customer, CustomerSkeleton, Facts, FactsSkeleton, Money } from './payment-facts.tsx'
import { paymentLink } from './payment-link.ts'
import { refundable } from './refund-amount.ts'
import { ConfirmRefund } from './refund-dialog.tsx'
import { refundedText, refusalText, useIsRefunded, useRefund } from './use-refund.ts'

interface PaymentDetailsProps {
  readonly payment: DashboardPayment
  /** Undefined while they are on their way, null when they could not be had. */
  readonly details: Details | null | undefined
  /** Whether the question about the refund is on the screen. */
  readonly isConfirming: boolean
  readonly onConfirmingChange: (isConfirming: boolean) => void
  /** Further content beside the details. */
  readonly children: ReactNode
}

export function PaymentDetails({
  payment,
  details,
  isConfirming,
  onConfirmingChange,
  children,
}: PaymentDetailsProps) {
  const refunding = useRefund(() => onConfirmingChange(false))
  const isRefunded = useIsRefunded(payment)
  // One refund at a time: after a partial refund the dialog shows the result, and when it is opened again it offers the remaining amount.
  const isRefundable = payment.status === 'COMPLETED' && !isRefunded && !refunding.isSuccess
  const part = partlyRefunded(payment)
  return (
    <>
      <div className={styles.headline}>
        <p className={styles.figure}>{amountText(payment.currency, payment.amount)}</p>
        <PaymentStatusBadge status={payment.status} />
        {part && <p className={styles.part}>{part}</p>}
      </div>
      <div className={styles.columns}>
        <div className={styles.known}>
          <Facts payment={payment} />
          <Money payment={payment} />
          {details === undefined && <CustomerSkeleton />}
          {details?.customer && <Customer customer={details.customer} />}
        </div>
        {children}
      </div>
      <p className={styles.issuer}>{payment.applicationName}</p>
      <div className={styles.actions}>
        {refunding.isSuccess && (
          <p className={styles.good} role="status">
            {refundedText(refunding.variables, refunding.data)}
          </p>
        )}
        <CopyButton text={paymentLink(payment.paymentId)} what="link" label="Copy link" />
        <Button
          variant="default"
          leftSection={<IconPrinter size={18} stroke={1.75} aria-hidden />}
          onClick={() => window.print()}
        >
          Print
        </Button>
        {isRefundable && (
          <Button variant="default" className={styles.refund ?? ''} onClick={() => onConfirmingChange(true)}>
            Refund Payment
          </Button>
        )}
      </div>
      <ConfirmRefund
        payment={payment}
        rest={refundable(details ?? payment, details?.timeline)}
        opened={isConfirming}
        running={refunding.isPending}
        error={refunding.isError ? REFUND_FAILED : null}
        refusal={refusalText(refunding.error)}
        onConfirm={refunding.mutate}
        onClose={() => {
          onConfirmingChange(false)
          refunding.reset()
        }}
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
      <div className={styles.known}>
        <FactsSkeleton />
        <CustomerSkeleton />
      </div>
      {children}
    </div>
    <div className={styles.actions}>
      <Skeleton h={42} w={124} />
      <Skeleton h={42} w={96} />
    </div>
  </div>
)

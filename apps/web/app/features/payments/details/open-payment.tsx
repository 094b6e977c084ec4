import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { useErrorText } from '../../../api/api-error.ts'
import { usePaymentDetails } from '../../../api/payments.ts'
import { IconReceipt } from '../../../components/icons.ts'
import { Timeline } from '../../../components/timeline.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { EmptyState, QueryError } from '../../../components/ui/empty-state.tsx'
import { usePaymentsText } from '../../../lib/payments-text.ts'
import { DetailsSkeleton, PaymentDetails } from './payment-details.tsx'
import { latestPayment } from './refund.ts'

interface OpenPaymentProps {
  readonly paymentId: string
  readonly row: DashboardPayment | undefined
  readonly onClose: () => void
}

/** The payment that the address names, also one that is not in the loaded list. */
export function OpenPayment({ paymentId, row, onClose }: OpenPaymentProps) {
  const query = usePaymentDetails(paymentId)
  const { data, error, refetch, isFetching } = query
  const payment = latestPayment(row, data)
  const errorText = useErrorText()
  const retry = { onRetry: () => void refetch(), retrying: isFetching }
  if (payment) {
    return (
      <PaymentDetails payment={payment} details={data === undefined && !error ? undefined : (data ?? null)}>
        <Timeline
          entries={data === null ? [] : data?.timeline}
          currency={payment.currency}
          error={error && errorText(error)}
          {...retry}
        />
      </PaymentDetails>
    )
  }
  if (data === null) return <NoSuchPayment onClose={onClose} />
  if (error) return <QueryError query={query} />
  return (
    <DetailsSkeleton>
      <Timeline entries={undefined} currency="" error={null} {...retry} />
    </DetailsSkeleton>
  )
}

function NoSuchPayment({ onClose }: { readonly onClose: () => void }) {
  const t = usePaymentsText()
  return (
    <EmptyState
      icon={IconReceipt}
      title={t('noSuchPayment')}
      action={
        <Button kind="default" onClick={onClose}>
          {t('backToPayments')}
        </Button>
      }
    >
      {t('noSuchPaymentText')}
    </EmptyState>
  )
}

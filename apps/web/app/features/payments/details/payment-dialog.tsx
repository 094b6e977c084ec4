import { Button } from '@mantine/core'
import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { useEffect, useState } from 'react'
import { useErrorText } from '../../../api/api-error.ts'
import { usePaymentDetails } from '../../../api/payments.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { EmptyState, LoadError } from '../../../components/empty-state.tsx'
import { IconReceipt } from '../../../components/icons.ts'
import { usePaymentsText } from '../text.ts'
import styles from './details.module.css'
import { DetailsSkeleton, PaymentDetails, type PaymentQuestion } from './payment-details.tsx'
import { useNamedPayment } from './payment-link.ts'
import { latestPayment } from './refund.ts'
import { Timeline } from './timeline.tsx'

const EXIT_MS = 300
/** Mantine returns the focus ten milliseconds after the closing, and only while nothing else has taken it. */
const FOCUS_RETURN_MS = 50

/** Shows the payment that the address names, whether it is among the loaded ones or not. */
export function PaymentDialog({ payments }: { readonly payments: readonly DashboardPayment[] | undefined }) {
  const { paymentId, close } = useNamedPayment()
  const t = usePaymentsText()
  // The payment stays while the dialog fades out, and each opening starts from the beginning.
  const [opening, setOpening] = useState({
    of: null as string | null,
    shown: null as string | null,
    count: 0,
  })
  const [question, setQuestion] = useState<PaymentQuestion | null>(null)
  if (paymentId !== opening.of) {
    setOpening(({ shown, count }) =>
      paymentId === null ? { of: null, shown, count } : { of: paymentId, shown: paymentId, count: count + 1 },
    )
    if (paymentId !== null) setQuestion(null)
  }
  const { shown, count } = opening
  useEffect(() => {
    if (shown !== null || count === 0) return
    const timer = setTimeout(() => {
      // A shared link opened the payment: there is no button to return the focus to.
      const isLost = document.activeElement === document.body
      if (isLost) document.getElementById('content')?.focus({ preventScroll: true })
    }, FOCUS_RETURN_MS)
    return () => clearTimeout(timer)
  }, [shown, count])
  return (
    <Dialog
      opened={paymentId !== null}
      onClose={close}
      title={t('paymentDetails')}
      // Escape answers the question on top, not the dialog below it.
      closeOnEscape={question === null}
      centered={false}
      yOffset="7dvh"
      size={800}
      classNames={{
        inner: styles.inner ?? '',
        overlay: styles.overlay ?? '',
        content: styles.dialog ?? '',
        header: styles.header ?? '',
        body: styles.body ?? '',
        close: styles.close ?? '',
      }}
      transitionProps={{ transition: 'pop', duration: 200, exitDuration: EXIT_MS }}
      onExitTransitionEnd={() => {
        setOpening((now) => ({ ...now, shown: null }))
        setQuestion(null)
      }}
    >
      {shown !== null && (
        <OpenPayment
          key={count}
          paymentId={shown}
          row={payments?.find((payment) => payment.paymentId === shown)}
          question={question}
          onQuestion={setQuestion}
          onClose={close}
        />
      )}
    </Dialog>
  )
}

interface OpenPaymentProps {
  readonly paymentId: string
  readonly row: DashboardPayment | undefined
  readonly question: PaymentQuestion | null
  readonly onQuestion: (question: PaymentQuestion | null) => void
  readonly onClose: () => void
}

function OpenPayment({ paymentId, row, question, onQuestion, onClose }: OpenPaymentProps) {
  const { data, error, refetch, isFetching } = usePaymentDetails(paymentId)
  const payment = latestPayment(row, data)
  const errorText = useErrorText()
  const retry = { onRetry: () => void refetch(), retrying: isFetching }
  if (payment) {
    return (
      <PaymentDetails
        payment={payment}
        details={data ?? (error ? null : undefined)}
        question={question}
        onQuestion={onQuestion}
      >
        <Timeline
          entries={data?.timeline}
          currency={payment.currency}
          error={error && errorText(error)}
          {...retry}
        />
      </PaymentDetails>
    )
  }
  if (data === null) return <NoSuchPayment onClose={onClose} />
  if (error) return <LoadError {...retry}>{errorText(error)}</LoadError>
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
        <Button variant="default" onClick={onClose}>
          {t('backToPayments')}
        </Button>
      }
    >
      {t('noSuchPaymentText')}
    </EmptyState>
  )
}

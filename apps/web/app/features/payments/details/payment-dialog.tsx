import { Button } from '@mantine/core'
import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { useEffect, useState } from 'react'
import { useErrorText } from '../../../api/api-error.ts'
import { usePaymentDetails } from '../../../api/payments.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { EmptyState, QueryError } from '../../../components/empty-state.tsx'
import { IconReceipt } from '../../../components/icons.ts'
import { usePaymentsText } from '../text.ts'
import styles from './details.module.css'
import { DetailsSkeleton, PaymentDetails, type PaymentQuestion } from './payment-details.tsx'
import { useNamedPayment } from './payment-link.ts'
import { latestPayment } from './refund.ts'
import { Timeline } from './timeline.tsx'

const EXIT_MS = 300
/** Mantine returns the focus ten milliseconds after the dialog has closed, unless another element has it. */
const FOCUS_RETURN_MS = 50

/** The payment that the dialog shows: it stays while the dialog fades out, and `count` distinguishes the openings. */
function useOpening(paymentId: string | null, onOpen: () => void) {
  const [opening, setOpening] = useState({
    of: null as string | null,
    shown: null as string | null,
    count: 0,
  })
  if (paymentId !== opening.of) {
    setOpening(({ shown, count }) =>
      paymentId === null ? { of: null, shown, count } : { of: paymentId, shown: paymentId, count: count + 1 },
    )
    if (paymentId !== null) onOpen()
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
  return { shown, count, clear: () => setOpening((now) => ({ ...now, shown: null })) }
}

/** Shows the payment that the address names, also one that is not in the loaded list. */
export function PaymentDialog({ payments }: { readonly payments: readonly DashboardPayment[] | undefined }) {
  const { paymentId, close } = useNamedPayment()
  const t = usePaymentsText()
  const [question, setQuestion] = useState<PaymentQuestion | null>(null)
  const { shown, count, clear } = useOpening(paymentId, () => setQuestion(null))
  return (
    <Dialog
      opened={paymentId !== null}
      onClose={close}
      title={t('paymentDetails')}
      // Escape closes the question on top first.
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
        clear()
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
  const query = usePaymentDetails(paymentId)
  const { data, error, refetch, isFetching } = query
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
        <Button variant="default" onClick={onClose}>
          {t('backToPayments')}
        </Button>
      }
    >
      {t('noSuchPaymentText')}
    </EmptyState>
  )
}

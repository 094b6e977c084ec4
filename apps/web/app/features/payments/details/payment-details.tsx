import type { DashboardPayment, PaymentDetails as Details } from '@muripo/contract/dashboard-payments'
import { type ReactNode, useState } from 'react'
import { useFailuresText } from '../../../api/api-error.ts'
import { useMay } from '../../../api/may.ts'
import { IconPrinter } from '../../../components/icons.ts'
import { Button } from '../../../components/ui/button.tsx'
import { font, grid, notice, row } from '../../../components/ui/classes.ts'
import { CopyButton } from '../../../components/ui/copy-button.tsx'
import { DialogFoot } from '../../../components/ui/dialog.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { PaymentStatusBadge } from '../../../components/ui/status-badge.tsx'
import { partialAmounts, useDashboardText } from '../../../lib/dashboard-text.ts'
import { amountText } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { usePaymentsText } from '../../../lib/payments-text.ts'
import { useFormats } from '../../../lib/use-formats.ts'
import { CaptureActions, CaptureDeadline, type CaptureQuestion } from './capture-actions.tsx'
import styles from './details.module.css'
import { Fact, Lines } from './lines.tsx'
import { Money } from './money.tsx'
import { PendingActions, PendingState } from './pending.tsx'
import { refundable, refundedText, useIsRefunded, useRefund, useRefusalText } from './refund.ts'
import { RefundDialog } from './refund-dialog.tsx'

/** The question on the screen, above the details. */
type Question = CaptureQuestion | 'refund' | 'cancel'

interface PaymentDetailsProps {
  readonly payment: DashboardPayment
  /** Undefined while they are loading, null when they could not be loaded. */
  readonly details: Details | null | undefined
  /** Further content beside the details. */
  readonly children: ReactNode
}

export function PaymentDetails({ payment, details, children }: PaymentDetailsProps) {
  const [question, setQuestion] = useState<Question | null>(null)
  const refunding = useRefund(() => setQuestion(null))
  const failures = useFailuresText()
  const refusalText = useRefusalText()
  return (
    <>
      <Headline payment={payment} />
      {payment.status === 'PENDING' && details !== null && (
        <PendingState payment={payment} details={details} />
      )}
      <div className={`${styles.columns} ${grid()}`}>
        <div className={`${styles.known} ${grid('gap20')}`}>
          <Facts payment={payment} />
          <Money payment={payment} timeline={details?.timeline} />
          {details === undefined && <CustomerSkeleton />}
          {details?.customer && <Customer customer={details.customer} />}
        </div>
        {children}
      </div>
      <p className={`${styles.issuer} ${font('semibold')}`}>{payment.applicationName}</p>
      <Actions
        payment={payment}
        details={details}
        refunding={refunding}
        question={question}
        onQuestion={setQuestion}
      />
      <RefundDialog
        payment={payment}
        allowed={refundable(details ?? payment, details?.timeline)}
        opened={question === 'refund'}
        running={refunding.isPending}
        error={refunding.isError ? failures('refundPayment') : null}
        refusal={refusalText(refunding.error)}
        onConfirm={refunding.mutate}
        onClose={() => {
          setQuestion(null)
          refunding.reset()
        }}
      />
    </>
  )
}

function Headline({ payment }: { readonly payment: DashboardPayment }) {
  const t = usePaymentsText()
  const parts = partialAmounts(payment, useDashboardText())
  const { status, statusReason } = payment
  return (
    <div className={`${styles.headline} ${row('wrap', 'centre', 'rows8')}`}>
      <p className={font('xl', 'bold', 'numbers', 'close')}>{amountText(payment.currency, payment.amount)}</p>
      <PaymentStatusBadge status={payment.status} />
      {parts.map((part) => (
        <p key={part} className={font('md', 'quiet', 'numbers')}>
          {part}
        </p>
      ))}
      {payment.capture === 'manual' && (
        <CaptureDeadline payment={payment} className={font('md', 'quiet', 'numbers')} />
      )}
      {status === 'FAILED' && statusReason !== null && (
        <p className={font('md', 'red', 'wholeLine')}>{t('paymentReason', { reason: statusReason })}</p>
      )}
    </div>
  )
}

interface ActionsProps extends Pick<PaymentDetailsProps, 'payment' | 'details'> {
  readonly question: Question | null
  readonly onQuestion: (question: Question | null) => void
  readonly refunding: ReturnType<typeof useRefund>
}

function Actions({ payment, details, refunding, question, onQuestion }: ActionsProps) {
  return payment.status === 'PENDING' ? (
    <DialogFoot>
      <PendingActions
        payment={payment}
        details={details}
        isConfirming={question === 'cancel'}
        onConfirming={(isConfirming) => onQuestion(isConfirming ? 'cancel' : null)}
      />
    </DialogFoot>
  ) : (
    <EndedActions payment={payment} refunding={refunding} question={question} onQuestion={onQuestion} />
  )
}

function EndedActions({ payment, refunding, question, onQuestion }: Omit<ActionsProps, 'details'>) {
  const t = usePaymentsText()
  const isRefunded = useIsRefunded(payment)
  const mayRefund = useMay('refunds.write')
  const mayCapture = useMay('payments.manage')
  // One refund at a time: after a partial refund the dialog shows the result, and when it is opened again it offers the remaining amount.
  const isRefundable = mayRefund && payment.status === 'COMPLETED' && !isRefunded && !refunding.isSuccess
  return (
    <DialogFoot>
      {refunding.isSuccess && (
        <p className={notice('success', 'above16', 'screenOnly')} role="status">
          {refundedText(refunding.variables, refunding.data, t)}
        </p>
      )}
      <CopyButton
        text={window.location.origin + paths.payment(payment.paymentId)}
        what="link"
        label={t('copyLink')}
      />
      <Button kind="default" icon={IconPrinter} onClick={() => window.print()}>
        {t('print')}
      </Button>
      {isRefundable && (
        <Button kind="danger-quiet" className={styles.refund ?? ''} onClick={() => onQuestion('refund')}>
          {t('refundPaymentButton')}
        </Button>
      )}
      {mayCapture && payment.capture === 'manual' && (
        <CaptureActions
          payment={payment}
          question={question === 'capture' || question === 'void' ? question : null}
          onQuestion={onQuestion}
        />
      )}
    </DialogFoot>
  )
}

export const DetailsSkeleton = ({ children }: { readonly children: ReactNode }) => (
  <div aria-busy="true">
    <div className={`${styles.headline} ${row('wrap', 'centre', 'rows8')}`}>
      <Skeleton h={29} w={148} my={8} />
      <Skeleton h={24} w={104} radius={999} />
    </div>
    <div className={`${styles.columns} ${grid()}`}>
      <div className={`${styles.known} ${grid('gap20')}`}>
        <FactsSkeleton />
        <CustomerSkeleton />
      </div>
      {children}
    </div>
    <DialogFoot>
      <Skeleton h={44} w={124} />
      <Skeleton h={44} w={96} />
    </DialogFoot>
  </div>
)

export function Facts({ payment }: { readonly payment: DashboardPayment }) {
  const t = usePaymentsText()
  const dashboard = useDashboardText()
  const { dateText, exactText, methodLabel } = useFormats()
  return (
    <dl className={`${styles.facts} ${grid()} ${font('md')}`}>
      <Fact name={t('paymentId')} copy={payment.paymentId}>
        {payment.paymentId}
      </Fact>
      <Fact name={t('method')}>{methodLabel(payment.method)}</Fact>
      <Fact name={t('methodReference')} copy={payment.paymentMethodReference}>
        {payment.paymentMethodReference ?? 'null'}
      </Fact>
      <Fact name={t('purpose')}>{payment.purposeDescription}</Fact>
      <Fact name={t('customerPhone')}>{payment.customerPhoneNumber ?? t('notGiven')}</Fact>
      <Fact name={dashboard('created')}>
        <time dateTime={payment.createdAt} title={exactText(payment.createdAt)}>
          {dateText(payment.createdAt)}
        </time>
      </Fact>
      <Fact name={t('transactionId')} copy={payment._id}>
        {payment._id}
      </Fact>
    </dl>
  )
}

const skeletonRows = ['a', 'b', 'c', 'd', 'e', 'f', 'g']

export const FactsSkeleton = () => (
  <div className={`${styles.facts} ${grid()} ${font('md')}`}>
    {skeletonRows.map((row) => (
      <div key={row} className={grid()}>
        <Skeleton h={12} w={112} my={5} />
        <Skeleton h={14} w={220} maw="80%" my={4} />
      </div>
    ))}
  </div>
)

/** The customer's details; the phone number is among the facts. */
export function Customer({ customer }: Pick<Details, 'customer'>) {
  const t = usePaymentsText()
  const dashboard = useDashboardText()
  return (
    <Lines title={t('customer')}>
      <Fact name={dashboard('name')}>{customer.name ?? t('notGiven')}</Fact>
      <Fact name={dashboard('email')}>{customer.email ?? t('notGiven')}</Fact>
      <Fact name={t('customerIdLine')} copy={customer.id} copyName={t('customerId')}>
        {customer.id ?? t('noCustomerId')}
      </Fact>
    </Lines>
  )
}

const customerLineWidths = [116, 148, 180]

export function CustomerSkeleton() {
  const t = usePaymentsText()
  return (
    <div>
      <p className={font('sm', 'quiet', 'line22')}>{t('customer')}</p>
      <div className={styles.lines}>
        {customerLineWidths.map((width) => (
          <div key={width}>
            <Skeleton h={12} w={44} my={5} />
            <Skeleton h={12} w={width} my={5} />
          </div>
        ))}
      </div>
    </div>
  )
}

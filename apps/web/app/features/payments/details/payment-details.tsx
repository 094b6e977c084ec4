import { Button, Skeleton } from '@mantine/core'
import type { DashboardPayment, PaymentDetails as Details } from '@muripo/contract/dashboard-payments'
import { type ReactNode, useId } from 'react'
import { useFailuresText } from '../../../api/api-error.ts'
import { takenAmount } from '../../../api/payments.ts'
import { CopyButton, CopyIcon } from '../../../components/copy-button.tsx'
import { IconPrinter } from '../../../components/icons.ts'
import { PaymentStatusBadge } from '../../../components/status-badge.tsx'
import { partialAmounts, useDashboardText } from '../../../lib/dashboard-text.ts'
import { amountText } from '../../../lib/format.ts'
import { useFormats } from '../../../lib/use-formats.ts'
import { usePaymentsText } from '../text.ts'
import { CaptureActions, CaptureDeadline, type CaptureQuestion } from './capture-actions.tsx'
import styles from './details.module.css'
import { paymentLink } from './payment-link.ts'
import { refundable, refundedText, useIsRefunded, useRefund, useRefusalText } from './refund.ts'
import { RefundDialog } from './refund-dialog.tsx'

export type PaymentQuestion = CaptureQuestion | 'refund'

interface PaymentDetailsProps {
  readonly payment: DashboardPayment
  /** Undefined while they are loading, null when they could not be loaded. */
  readonly details: Details | null | undefined
  /** The question on the screen, above the details. */
  readonly question: PaymentQuestion | null
  readonly onQuestion: (question: PaymentQuestion | null) => void
  /** Further content beside the details. */
  readonly children: ReactNode
}

export function PaymentDetails({ payment, details, question, onQuestion, children }: PaymentDetailsProps) {
  const refunding = useRefund(() => onQuestion(null))
  const failures = useFailuresText()
  const refusalText = useRefusalText()
  return (
    <>
      <Headline payment={payment} />
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
      <Actions payment={payment} refunding={refunding} question={question} onQuestion={onQuestion} />
      <RefundDialog
        payment={payment}
        allowed={refundable(details ?? payment, details?.timeline)}
        opened={question === 'refund'}
        running={refunding.isPending}
        error={refunding.isError ? failures('refundPayment') : null}
        refusal={refusalText(refunding.error)}
        onConfirm={refunding.mutate}
        onClose={() => {
          onQuestion(null)
          refunding.reset()
        }}
      />
    </>
  )
}

function Headline({ payment }: { readonly payment: DashboardPayment }) {
  const parts = partialAmounts(payment, useDashboardText())
  return (
    <div className={styles.headline}>
      <p className={styles.figure}>{amountText(payment.currency, payment.amount)}</p>
      <PaymentStatusBadge status={payment.status} />
      {parts.map((part) => (
        <p key={part} className={styles.part}>
          {part}
        </p>
      ))}
      {payment.capture === 'manual' && <CaptureDeadline payment={payment} className={styles.part} />}
    </div>
  )
}

interface ActionsProps extends Pick<PaymentDetailsProps, 'payment' | 'question' | 'onQuestion'> {
  readonly refunding: ReturnType<typeof useRefund>
}

function Actions({ payment, refunding, question, onQuestion }: ActionsProps) {
  const t = usePaymentsText()
  const isRefunded = useIsRefunded(payment)
  // One refund at a time: after a partial refund the dialog shows the result, and when it is opened again it offers the remaining amount.
  const isRefundable = payment.status === 'COMPLETED' && !isRefunded && !refunding.isSuccess
  return (
    <div className={styles.actions}>
      {refunding.isSuccess && (
        <p className={styles.good} role="status">
          {refundedText(refunding.variables, refunding.data, t)}
        </p>
      )}
      <CopyButton text={paymentLink(payment.paymentId)} what="link" label={t('copyLink')} />
      <Button
        variant="default"
        leftSection={<IconPrinter size={18} stroke={1.75} aria-hidden />}
        onClick={() => window.print()}
      >
        {t('print')}
      </Button>
      {isRefundable && (
        <Button variant="default" className={styles.refund ?? ''} onClick={() => onQuestion('refund')}>
          {t('refundPaymentButton')}
        </Button>
      )}
      {payment.capture === 'manual' && (
        <CaptureActions
          payment={payment}
          question={question === 'refund' ? null : question}
          onQuestion={onQuestion}
        />
      )}
    </div>
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

export function Facts({ payment }: { readonly payment: DashboardPayment }) {
  const t = usePaymentsText()
  const dashboard = useDashboardText()
  const { dateText, exactText, methodLabel } = useFormats()
  return (
    <dl className={styles.facts}>
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

interface FactProps {
  readonly name: string
  readonly children: ReactNode
  readonly copy?: string | null
  /** The name of the copied value, where the name of the fact is not enough. */
  readonly copyName?: string
}

const Fact = ({ name, children, copy, copyName = name }: FactProps) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <span>{children}</span>
      {copy && <CopyIcon text={copy} what={copyName} />}
    </dd>
  </div>
)

const skeletonRows = ['a', 'b', 'c', 'd', 'e', 'f', 'g']

export const FactsSkeleton = () => (
  <div className={styles.facts}>
    {skeletonRows.map((row) => (
      <div key={row} className={styles.skeleton}>
        <Skeleton h={12} w={112} my={5} />
        <Skeleton h={14} w={220} maw="80%" my={4} />
      </div>
    ))}
  </div>
)

/** The merchant's share of the payment. Empty before the payment is completed. */
export function Money({ payment }: { readonly payment: DashboardPayment }) {
  const t = usePaymentsText()
  const { currency, amountRefunded, fee, net } = payment
  if (typeof fee !== 'number' || typeof net !== 'number') return null
  return (
    <Lines title={t('amounts')}>
      <Fact name={t('gross')}>{amountText(currency, takenAmount(payment))}</Fact>
      <Fact name={t('fee')}>{amountText(currency, fee)}</Fact>
      <Fact name={t('net')}>{amountText(currency, net)}</Fact>
      {amountRefunded > 0 && <Fact name={t('refunded')}>{amountText(currency, amountRefunded)}</Fact>}
    </Lines>
  )
}

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
      <p className={styles.subject}>{t('customer')}</p>
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

function Lines({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={styles.subject}>
        {title}
      </h3>
      <dl className={styles.lines}>{children}</dl>
    </section>
  )
}

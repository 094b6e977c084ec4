import { Button, Skeleton } from '@mantine/core'
import type { DashboardPayment, PaymentDetails as Details } from '@muripo/contract/dashboard-payments'
import { type ReactNode, useId } from 'react'
import { useTimeZone } from '../../../api/account.ts'
import { useFailureTexts } from '../../../api/api-error.ts'
import { CopyButton, CopyIcon } from '../../../components/copy-button.tsx'
import { IconPrinter } from '../../../components/icons.ts'
import { PaymentStatusBadge } from '../../../components/status-badge.tsx'
import { amountText, dateText, exactText, methodLabel } from '../../../lib/format.ts'
import { partlyRefunded } from '../../../lib/payment-text.ts'
import styles from './details.module.css'
import { paymentLink } from './payment-link.ts'
import { refundable, refundedText, refusalText, useIsRefunded, useRefund } from './refund.ts'
import { ConfirmRefund } from './refund-dialog.tsx'

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
  const failures = useFailureTexts()
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
        error={refunding.isError ? failures('refundPayment') : null}
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

export function Facts({ payment }: { readonly payment: DashboardPayment }) {
  const timeZone = useTimeZone()
  return (
    <dl className={styles.facts}>
      <Fact name="Payment ID" copy={payment.paymentId}>
        {payment.paymentId}
      </Fact>
      <Fact name="Method">{methodLabel(payment.method)}</Fact>
      <Fact name="Payment Method Reference" copy={payment.paymentMethodReference}>
        {payment.paymentMethodReference ?? 'null'}
      </Fact>
      <Fact name="Purpose">{payment.purposeDescription}</Fact>
      <Fact name="Customer Phone">{payment.customerPhoneNumber ?? 'Not given'}</Fact>
      <Fact name="Created">
        <time dateTime={payment.createdAt} title={exactText(payment.createdAt, timeZone)}>
          {dateText(payment.createdAt, timeZone)}
        </time>
      </Fact>
      <Fact name="Transaction ID" copy={payment._id}>
        {payment._id}
      </Fact>
    </dl>
  )
}

interface FactProps {
  readonly name: string
  readonly children: ReactNode
  readonly copy?: string | null
}

const Fact = ({ name, children, copy = null }: FactProps) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <span>{children}</span>
      {copy !== null && <CopyIcon text={copy} what={name} />}
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
  const { currency, amount, amountRefunded, fee, net } = payment
  if (typeof fee !== 'number' || typeof net !== 'number') return null
  return (
    <Lines title="Amounts">
      <Line name="Gross">{amountText(currency, amount)}</Line>
      <Line name="Fee">{amountText(currency, fee)}</Line>
      <Line name="Net">{amountText(currency, net)}</Line>
      {amountRefunded > 0 && <Line name="Refunded">{amountText(currency, amountRefunded)}</Line>}
    </Lines>
  )
}

/** The customer's details; the phone number is among the facts. */
export const Customer = ({ customer }: Pick<Details, 'customer'>) => (
  <Lines title="Customer">
    <Line name="Name">{customer.name ?? 'Not given'}</Line>
    <Line name="Email">{customer.email ?? 'Not given'}</Line>
    <Line name="ID" copy={customer.id}>
      {customer.id ?? 'None yet'}
    </Line>
  </Lines>
)

const customerLineWidths = [116, 148, 180]

export const CustomerSkeleton = () => (
  <div>
    <p className={styles.subject}>Customer</p>
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

interface LineProps {
  readonly name: string
  readonly children: ReactNode
  readonly copy?: string | null
}

const Line = ({ name, children, copy }: LineProps) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <span>{children}</span>
      {copy && <CopyIcon text={copy} what={`Customer ${name}`} />}
    </dd>
  </div>
)

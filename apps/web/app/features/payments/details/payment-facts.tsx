import { Skeleton } from '@mantine/core'
import type { DashboardPayment, PaymentDetails } from '@muripo/contract/dashboard-payments'
import { type ReactNode, useId } from 'react'
import { useTimeZone } from '../../../api/account.ts'
import { CopyIcon } from '../../../components/copy-button.tsx'
import { amountText, dateText, exactText, methodLabel } from '../../../lib/format.ts'
import styles from './details.module.css'

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
export const Customer = ({ customer }: Pick<PaymentDetails, 'customer'>) => (
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

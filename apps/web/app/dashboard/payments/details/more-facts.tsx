import { Skeleton } from '@mantine/core'
import type { DashboardPayment, PaymentDetails } from '@muripo/contract/dashboard-payments'
import { type ReactNode, useId } from 'react'
import { amountText } from '../../../lib/format.ts'
import { CopyIcon } from '../../../ui/copy-button.tsx'
import styles from './details.module.css'

/** What the merchant gets of it. Nothing while it is not paid. */
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

/** Who pays, as far as anybody has said; the number stands among the facts. */
export const Customer = ({ customer }: Pick<PaymentDetails, 'customer'>) => (
  <Lines title="Customer">
    <Line name="Name">{customer.name ?? 'Not given'}</Line>
    <Line name="Email">{customer.email ?? 'Not given'}</Line>
    <Line name="ID" copy={customer.id}>
      {customer.id ?? 'None yet'}
    </Line>
  </Lines>
)

const bones = [116, 148, 180]

export const CustomerSkeleton = () => (
  <div>
    <p className={styles.subject}>Customer</p>
    <div className={styles.lines}>
      {bones.map((width) => (
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

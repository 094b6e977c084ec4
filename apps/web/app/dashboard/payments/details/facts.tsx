import { Skeleton } from '@mantine/core'
import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import type { ReactNode } from 'react'
import { dateText, exactText, methodLabel } from '../../../lib/format.ts'
import { CopyIcon } from '../../../ui/copy-button.tsx'
import { useTimeZone } from '../../account.ts'
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

const bones = ['a', 'b', 'c', 'd', 'e', 'f', 'g']

export const FactsSkeleton = () => (
  <div className={styles.facts}>
    {bones.map((bone) => (
      <div key={bone} className={styles.bones}>
        <Skeleton h={12} w={112} my={5} />
        <Skeleton h={14} w={220} maw="80%" my={4} />
      </div>
    ))}
  </div>
)

import { Button } from '@mantine/core'
import type { Application } from '@muripo/contract/applications'
import type { ReactNode } from 'react'
import { longDateText } from '../../lib/format.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'
import styles from './applications.module.css'

interface TabProps {
  readonly application: Application
}

interface FactProps {
  readonly name: string
  readonly full?: boolean
  readonly children: ReactNode
}

const Fact = ({ name, full, children }: FactProps) => (
  <div data-full={full || undefined}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

export const BasicTab = ({ application }: TabProps) => (
  <dl className={styles.facts} data-columns>
    <Fact name="Application Name">{application.applicationName}</Fact>
    <Fact name="Category">{application.category}</Fact>
    <Fact name="Description" full>
      {application.description}
    </Fact>
    <Fact name="Created">{longDateText(application.createdAt)}</Fact>
    <Fact name="Last Updated">{longDateText(application.updatedAt)}</Fact>
  </dl>
)

const NOT_CONFIGURED = 'Not configured'

export const BankingTab = ({ application }: TabProps) => (
  <>
    <dl className={styles.facts} data-columns>
      <Fact name="Bank Account Number">{application.bankAccountNumber || NOT_CONFIGURED}</Fact>
      <Fact name="Bank Account Name">{application.bankAccountName || NOT_CONFIGURED}</Fact>
      <Fact name="Bank Account Type">{application.bankAccountType || NOT_CONFIGURED}</Fact>
      <Fact name="Name Approval Status">
        <StatusBadge tone={application.nameApproved ? 'green' : 'yellow'}>
          {application.nameApproved ? 'Approved' : 'Pending Approval'}
        </StatusBadge>
      </Fact>
    </dl>
    <Button variant="default" mt={24}>
      Update Banking Details
    </Button>
  </>
)

import { Button } from '@mantine/core'
import type { Application } from '@muripo/contract/applications'
import { useState } from 'react'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { BankingDialog } from './banking-dialog.tsx'
import { Fact, Facts } from './facts.tsx'
import { Note } from './note.tsx'

const NOT_CONFIGURED = 'Not configured'

export function BankingTab({ application }: { readonly application: Application }) {
  const [editing, setEditing] = useState(false)
  return (
    <>
      <Facts columns>
        <Fact name="Bank Name">{application.bankName || NOT_CONFIGURED}</Fact>
        <Fact name="Bank Account Number">{application.bankAccountNumber || NOT_CONFIGURED}</Fact>
        <Fact name="Bank Account Name">{application.bankAccountName || NOT_CONFIGURED}</Fact>
        <Fact name="Bank Account Type">{application.bankAccountType || NOT_CONFIGURED}</Fact>
        <Fact name="Name Approval Status">
          <StatusBadge tone={application.nameApproved ? 'green' : 'yellow'}>
            {application.nameApproved ? 'Approved' : 'Pending Approval'}
          </StatusBadge>
        </Fact>
      </Facts>
      {application.bankRejection && (
        <Note>
          We could not approve these details: {application.bankRejection} Put them right, and we look at them
          again.
        </Note>
      )}
      <Button variant="default" mt={24} onClick={() => setEditing(true)}>
        Update Banking Details
      </Button>
      <BankingDialog application={application} opened={editing} onClose={() => setEditing(false)} />
    </>
  )
}

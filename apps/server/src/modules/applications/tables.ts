import type { Application, BankingDetails } from '@muripo/contract/applications'
import { AccountId, ApplicationId } from '@muripo/contract/ids'
import { id, readOnly, table, text, time } from '../../platform/db/table.ts'

export interface Banking {
  readonly details: BankingDetails
  /** Counts the changes. */
  readonly revision: number
  readonly changedAt: Date
  readonly nameApproved: boolean
  /** The reason of the refusal; null when the details are not refused. */
  readonly rejection: string | null
}

/** Null without details. */
const banking = readOnly<Banking | null>(
  {
    bank_name: 'text',
    bank_account_number: 'text',
    bank_account_name: 'text',
    bank_account_type: 'text',
    bank_revision: 'int',
    bank_changed_at: 'timestamptz',
    name_approved: 'boolean',
    bank_rejection: 'text',
  },
  (row) =>
    row.bank_name === null
      ? null
      : {
          details: {
            bankName: row.bank_name,
            bankAccountNumber: row.bank_account_number,
            bankAccountName: row.bank_account_name,
            bankAccountType: row.bank_account_type,
          },
          revision: row.bank_revision,
          changedAt: row.bank_changed_at,
          nameApproved: row.name_approved,
          rejection: row.bank_rejection,
        },
)

export const applications = table(
  'applications',
  {
    id: id('id', ApplicationId),
    name: text('name'),
    description: text('description'),
    category: text('category'),
    status: text<Application['status']>('status'),
    /** Why the operator has stopped it; null when it is not stopped. */
    stopReason: text<string | null>('operator_stop_reason'),
    banking,
    createdAt: time('created_at'),
    updatedAt: time('updated_at'),
  },
  {
    accountId: id('account_id', AccountId),
    /** The name that payers of live money see; null while no name of this application is approved. */
    promptName: text<string | null>('prompt_name'),
  },
)

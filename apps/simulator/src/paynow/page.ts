import type { Transaction } from '../ledger.ts'
import { choicePage } from '../page/parts.ts'
import type { Verdict } from '../verdicts.ts'

export const choices = {
  success: 'Pay by card',
  insufficient_funds: 'Pay with a card that is declined',
  cancelled: 'Cancel',
} as const satisfies Partial<Record<Verdict, string>>

export const confirmPage = (transaction: Transaction): string =>
  choicePage({
    provider: 'Paynow',
    amount: transaction,
    reason: transaction.remarks,
    isOpen: transaction.status === 'pending',
    field: 'verdict',
    choices: Object.entries(choices),
  })

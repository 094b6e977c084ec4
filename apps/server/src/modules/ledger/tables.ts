import { AccountId, AdjustmentId, ApplicationId, PaymentId } from '@muripo/contract/ids'
import { amount, id, idOrNull, table, text, time, uuid } from '../../platform/db/table.ts'
import type { AccountCode, TransferKind } from './transfer.ts'

export const transfers = table('ledger_transfers', {
  accountId: id('account_id', AccountId),
  applicationId: idOrNull('application_id', ApplicationId),
  kind: text<TransferKind>('kind'),
  debit: text<AccountCode>('debit_code'),
  credit: text<AccountCode>('credit_code'),
  amount: amount('amount_minor', 'currency'),
  paymentId: idOrNull('payment_id', PaymentId),
  causeId: uuid('cause_id'),
  createdAt: time('created_at'),
})

export const adjustments = table('ledger_adjustments', {
  accountId: id('account_id', AccountId),
  id: id('id', AdjustmentId),
  paymentId: idOrNull('payment_id', PaymentId),
  debit: text<AccountCode>('debit_code'),
  credit: text<AccountCode>('credit_code'),
  amount: amount('amount_minor', 'currency'),
  reason: text('reason'),
  causeId: uuid<string | null>('cause_id'),
  actor: text('actor'),
  createdAt: time('created_at'),
})

import type { MerchantTable } from '../../platform/db/merchant-rows.ts'

export const ledgerTables: readonly MerchantTable[] = [
  { table: 'ledger_accounts', owner: 'account_id', ownedBy: 'environment', primaryKey: ['code', 'currency'] },
  {
    table: 'ledger_transfers',
    owner: 'account_id',
    ownedBy: 'environment',
    primaryKey: ['cause_id', 'kind'],
  },
  { table: 'ledger_adjustments', owner: 'account_id', ownedBy: 'environment', primaryKey: ['id'] },
]

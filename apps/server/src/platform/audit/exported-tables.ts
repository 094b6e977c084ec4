import type { MerchantTable } from '../db/merchant-rows.ts'

export const auditTables: readonly MerchantTable[] = [
  { table: 'audit_log', owner: 'account_id', ownedBy: 'environment', primaryKey: ['id'] },
]

import type { MerchantTable } from '../../platform/db/merchant-rows.ts'

/** Without the keys themselves. */
export const applicationTables: readonly MerchantTable[] = [
  { table: 'applications', owner: 'account_id', ownedBy: 'environment', primaryKey: ['id'] },
  {
    table: 'application_brands',
    owner: 'account_id',
    ownedBy: 'environment',
    primaryKey: ['application_id'],
  },
  {
    table: 'approved_brands',
    owner: 'account_id',
    ownedBy: 'environment',
    primaryKey: ['application_id'],
  },
  {
    table: 'application_keys',
    owner: 'account_id',
    ownedBy: 'environment',
    primaryKey: ['application_id', 'id'],
    without: ['lookup', 'encrypted'],
  },
]

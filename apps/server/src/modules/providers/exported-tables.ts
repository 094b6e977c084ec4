import type { MerchantTable } from '../../platform/db/merchant-rows.ts'

export const providerTables: readonly MerchantTable[] = [
  { table: 'provider_routes', owner: 'merchant_id', ownedBy: 'merchant', primaryKey: ['route'] },
]

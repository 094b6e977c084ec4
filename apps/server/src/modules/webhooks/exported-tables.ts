import type { MerchantTable } from '../../platform/db/merchant-rows.ts'

/** Without the secrets of endpoints. */
export const webhookTables: readonly MerchantTable[] = [
  { table: 'webhook_endpoints', owner: 'account_id', ownedBy: 'environment', primaryKey: ['id'] },
  { table: 'events', owner: 'account_id', ownedBy: 'environment', primaryKey: ['id'] },
  {
    table: 'webhook_deliveries',
    owner: 'account_id',
    ownedBy: 'environment',
    primaryKey: ['event_id', 'endpoint_id'],
  },
  {
    table: 'webhook_delivery_attempts',
    owner: 'account_id',
    ownedBy: 'environment',
    primaryKey: ['event_id', 'endpoint_id', 'number'],
  },
]

import type { MerchantTable } from '../../platform/db/merchant-rows.ts'

const owned = { owner: 'account_id', ownedBy: 'environment', primaryKey: ['id'] } as const

/** Without the working state of calls to providers, which may contain secrets of one payment. */
export const paymentTables: readonly MerchantTable[] = [
  { table: 'payments', ...owned, without: ['idempotency_checksum', 'request_checksum'] },
  { table: 'customers', ...owned },
  { table: 'payment_attempts', ...owned, without: ['provider_state', 'next_action'] },
  {
    table: 'capture_instructions',
    ...owned,
    primaryKey: ['payment_id'],
    without: ['idempotency_checksum', 'request_checksum'],
  },
  { table: 'refunds', ...owned, without: ['idempotency_checksum', 'request_checksum', 'provider_state'] },
  { table: 'payment_anomalies', ...owned },
  { table: 'retained_numbers', ...owned, primaryKey: ['attempt_id'], without: ['number'] },
]

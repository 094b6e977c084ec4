import { applicationTables } from './modules/applications/index.ts'
import { identityTables } from './modules/identity/index.ts'
import { ledgerTables } from './modules/ledger/index.ts'
import { paymentTables } from './modules/payments/index.ts'
import { providerTables } from './modules/providers/index.ts'
import { webhookTables } from './modules/webhooks/index.ts'
import { auditTables } from './platform/audit/audit.ts'
import type { MerchantTable } from './platform/db/merchant-rows.ts'

/** Everything that is stored about a merchant. */
export const merchantTables: readonly MerchantTable[] = [
  ...identityTables,
  ...applicationTables,
  ...providerTables,
  ...paymentTables,
  ...ledgerTables,
  ...webhookTables,
  ...auditTables,
]

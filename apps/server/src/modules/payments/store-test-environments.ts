import { sql } from 'kysely'

/** Whether a row belongs to a test environment: no money has moved for it, and none may be sent. */
export const isInTestEnvironment = (accountId: `${string}.account_id`) =>
  sql<boolean>`exists (select from environments where environments.id = ${sql.ref(accountId)} and environments.id <> environments.merchant_id)`

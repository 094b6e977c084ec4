import { sql } from 'kysely'

/** Whether a row is of a book that test keys fill: no money has moved for it, and none is to be sent. */
export const isInTestEnvironment = (accountId: `${string}.account_id`) =>
  sql<boolean>`exists (select from environments where environments.id = ${sql.ref(accountId)} and environments.id <> environments.merchant_id)`

import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'

/** Ends the endpoints of environments, without their addresses and secrets. Their deliveries are deleted with the events. */
export async function eraseEndpoints(tx: Tx, environments: readonly string[], at: Date): Promise<void> {
  await tx.deleteFrom('webhook_secrets').where('account_id', 'in', environments).execute()
  await tx
    .updateTable('webhook_endpoints')
    .set({
      url: 'https://erased.invalid/',
      deleted_at: sql`coalesce(deleted_at, ${at})`,
      updated_at: at,
    })
    .where('account_id', 'in', environments)
    .execute()
}

import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'

const ERASED = 'Erased'

/** Revokes the keys of environments and removes their names and addresses, and replaces names, descriptions, banking details and brands. */
export async function eraseApplications(tx: Tx, environments: readonly string[], at: Date): Promise<void> {
  await tx.deleteFrom('approved_brands').where('account_id', 'in', environments).execute()
  await tx.deleteFrom('application_brands').where('account_id', 'in', environments).execute()
  await tx
    .updateTable('application_keys')
    .set({
      revoked_at: sql`coalesce(revoked_at, ${at})`,
      encrypted: null,
      name: sql`case when name is not null then ${ERASED} end`,
      allowed_addresses: null,
      last_used_address: null,
    })
    .where('account_id', 'in', environments)
    .execute()
  await tx
    .updateTable('applications')
    .set({
      name: ERASED,
      description: ERASED,
      prompt_name: null,
      bank_name: null,
      bank_account_number: null,
      bank_account_name: null,
      bank_account_type: null,
      bank_changed_at: null,
      bank_rejection: null,
      name_approved: false,
      // Changed banking details are a new revision.
      bank_revision: sql`bank_revision + case when bank_name is null then 0 else 1 end`,
      updated_at: at,
    })
    .where('account_id', 'in', environments)
    .execute()
}

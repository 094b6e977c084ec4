import type { Queryable, Tx } from '../../platform/db/database.ts'
import { databaseNow } from '../../platform/db/database-time.ts'

export interface AccountRow {
  readonly id: string
  readonly version: number
  /** Encrypted. */
  readonly settings: Buffer | null
  readonly disabledAt: Date | null
  readonly changedAt: Date
}

const columns = ['id', 'version', 'settings', 'disabled_at as disabledAt', 'changed_at as changedAt'] as const

export const accountRows = (db: Queryable): Promise<AccountRow[]> =>
  db.selectFrom('provider_accounts').select(columns).orderBy('id').execute()

/** Locks the account of this name until the transaction ends. A new row has no settings, and so no effect. */
export async function lockAccount(tx: Tx, id: string): Promise<AccountRow> {
  await tx
    .insertInto('provider_accounts')
    .values({ id, version: 0, changed_at: databaseNow })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return await tx
    .selectFrom('provider_accounts')
    .select(columns)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function setSettings(tx: Tx, id: string, version: number, settings: Buffer): Promise<void> {
  await tx
    .updateTable('provider_accounts')
    .set({ version, settings, changed_at: databaseNow })
    .where('id', '=', id)
    .execute()
}

export async function setDisabled(tx: Tx, id: string, isDisabled: boolean): Promise<void> {
  await tx
    .updateTable('provider_accounts')
    .set({ disabled_at: isDisabled ? databaseNow : null, changed_at: databaseNow })
    .where('id', '=', id)
    .execute()
}

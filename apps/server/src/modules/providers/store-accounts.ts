import type { Queryable, Tx } from '../../platform/db/database.ts'
import { databaseNow } from '../../platform/db/database-time.ts'

/** The results of a check of credentials that are stored. */
export type CheckedResult = 'proved' | 'unproved' | 'refused' | 'unclear'

export interface AccountRow {
  readonly id: string
  readonly version: number
  /** Encrypted. */
  readonly settings: Buffer | null
  /** The version of the settings that was written from the environment last. */
  readonly environmentVersion: number | null
  /** The environment no longer has the account, from which the settings came. */
  readonly absentSince: Date | null
  readonly disabledAt: Date | null
  readonly changedAt: Date
  readonly checkedAt: Date | null
  readonly checkResult: string | null
}

const columns = [
  'id',
  'version',
  'settings',
  'environment_version as environmentVersion',
  'absent_since as absentSince',
  'disabled_at as disabledAt',
  'changed_at as changedAt',
  'checked_at as checkedAt',
  'check_result as checkResult',
] as const

export const accountRows = (db: Queryable): Promise<AccountRow[]> =>
  db.selectFrom('provider_accounts').select(columns).orderBy('id').execute()

/** Whether the settings of a row are those of the environment, and follow it: no operator has changed them since. */
export const isOfEnvironment = ({ settings, version, environmentVersion }: AccountRow): boolean =>
  settings !== null && version === environmentVersion

/** Whether the environment from which the settings came no longer has them. */
export const isAbsent = (row: AccountRow): boolean => row.absentSince !== null && isOfEnvironment(row)

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

/** The version of an account, which each change of its settings or its state changes; null for one without a row. */
export async function accountVersion(
  q: Queryable,
  id: string,
): Promise<{ readonly version: string; readonly isDisabled: boolean } | null> {
  const row = await q.selectFrom('provider_accounts').select(columns).where('id', '=', id).executeTakeFirst()
  return row
    ? { version: `${row.version} ${row.changedAt.toISOString()}`, isDisabled: row.disabledAt !== null }
    : null
}

const update = (tx: Queryable, id: string) => tx.updateTable('provider_accounts').where('id', '=', id)

/** @param origin of the settings: an operator, or the environment */
export async function setSettings(
  tx: Tx,
  id: string,
  version: number,
  settings: Buffer,
  origin: 'operator' | 'environment',
): Promise<void> {
  const environment = origin === 'environment' && { environment_version: version, absent_since: null }
  await update(tx, id)
    .set({ version, settings, changed_at: databaseNow, ...environment })
    .execute()
}

export async function setAbsent(tx: Tx, id: string, isAbsent: boolean): Promise<void> {
  await update(tx, id)
    .set({ absent_since: isAbsent ? databaseNow : null, changed_at: databaseNow })
    .execute()
}

export async function setDisabled(tx: Tx, id: string, isDisabled: boolean): Promise<void> {
  await update(tx, id)
    .set({ disabled_at: isDisabled ? databaseNow : null, changed_at: databaseNow })
    .execute()
}

export async function setCheckResult(db: Queryable, id: string, result: CheckedResult): Promise<void> {
  await update(db, id).set({ checked_at: databaseNow, check_result: result }).execute()
}

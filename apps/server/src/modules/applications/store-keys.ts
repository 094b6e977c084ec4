import { AccountId, ApplicationId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'
import type { KeyMode } from './key.ts'

/** The account and the application that a key authenticates. */
export interface KeyOwner {
  readonly accountId: AccountId
  readonly applicationId: ApplicationId
  readonly keyId: string
  readonly applicationName: string
  /** Neither deactivated by its owner nor stopped by the operator. */
  readonly active: boolean
  /** Neither suspended nor closed. */
  readonly merchantActive: boolean
  readonly mode: KeyMode
}

export async function revokeKeys(
  tx: Tx,
  accountId: AccountId,
  applicationId: ApplicationId,
  mode: string,
  at: Date,
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('application_keys')
    .set({ revoked_at: at, encrypted: null })
    .where('account_id', '=', uuidOf(accountId))
    .where('application_id', '=', uuidOf(applicationId))
    .where('mode', '=', mode)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export async function insertKey(
  tx: Tx,
  accountId: AccountId,
  applicationId: ApplicationId,
  key: { id: string; mode: string; lookup: Buffer; encrypted: Buffer; createdAt: Date },
): Promise<void> {
  await tx
    .insertInto('application_keys')
    .values({
      account_id: uuidOf(accountId),
      application_id: uuidOf(applicationId),
      id: key.id,
      mode: key.mode,
      lookup: key.lookup,
      encrypted: key.encrypted,
      created_at: key.createdAt,
    })
    .execute()
}

/**
 * Finds the owner of a key. No other read starts without an account id. A key works in its environment alone: the account id that equals
 * the merchant's id has the gateway's mode, the other one is for tests.
 */
export async function findKeyOwner(
  db: Queryable,
  lookup: Buffer,
  keyMode: KeyMode,
): Promise<KeyOwner | null> {
  const row = await db
    .selectFrom('application_keys as k')
    .innerJoin('applications as a', (join) =>
      join.onRef('a.account_id', '=', 'k.account_id').onRef('a.id', '=', 'k.application_id'),
    )
    .select(['k.account_id', 'k.application_id', 'k.id as key_id', 'k.mode', 'a.name', 'a.status'])
    .select(['a.merchant_active', 'a.operator_stop_reason'])
    .innerJoin('environments as b', 'b.id', 'k.account_id')
    .where('k.lookup', '=', lookup)
    .where(sql<boolean>`k.mode = case when b.id = b.merchant_id then ${keyMode} else 'test' end`)
    .where('k.revoked_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  return {
    accountId: idFrom(AccountId, row.account_id),
    applicationId: idFrom(ApplicationId, row.application_id),
    keyId: row.key_id,
    applicationName: row.name,
    active: row.status === 'active' && row.operator_stop_reason === null,
    merchantActive: row.merchant_active,
    mode: row.mode as KeyMode,
  }
}

/** The SQL condition on an application `a` that may write, and its merchant too. Each statement that writes for a key contains it. */
export const mayWrite = `a.status = 'active' and a.operator_stop_reason is null and a.merchant_active`

/** The reason why calls with a key are refused; null when the key is active. */
export async function whyKeyInactive(
  db: Queryable,
  { accountId, applicationId, keyId }: Pick<KeyOwner, 'accountId' | 'applicationId' | 'keyId'>,
): Promise<'invalid_key' | 'merchant_not_active' | 'application_inactive' | null> {
  const row = await db
    .selectFrom('application_keys as k')
    .innerJoin('applications as a', (join) =>
      join.onRef('a.account_id', '=', 'k.account_id').onRef('a.id', '=', 'k.application_id'),
    )
    .select(['a.merchant_active', sql<boolean>`${sql.raw(mayWrite)}`.as('may_write')])
    .where('k.account_id', '=', uuidOf(accountId))
    .where('k.application_id', '=', uuidOf(applicationId))
    .where('k.id', '=', keyId)
    .where('k.revoked_at', 'is', null)
    .executeTakeFirst()
  if (!row) return 'invalid_key'
  if (row.may_write) return null
  return row.merchant_active ? 'application_inactive' : 'merchant_not_active'
}

/** An active key is not replaced, its application is not stopped, and its merchant is neither suspended nor closed. */
export async function isKeyActive(
  db: Queryable,
  { accountId, applicationId, keyId }: Pick<KeyOwner, 'accountId' | 'applicationId' | 'keyId'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('application_keys as k')
    .innerJoin('applications as a', (join) =>
      join.onRef('a.account_id', '=', 'k.account_id').onRef('a.id', '=', 'k.application_id'),
    )
    .select('k.id')
    .where('k.account_id', '=', uuidOf(accountId))
    .where('k.application_id', '=', uuidOf(applicationId))
    .where('k.id', '=', keyId)
    .where('k.revoked_at', 'is', null)
    .where(sql<boolean>`${sql.raw(mayWrite)}`)
    .executeTakeFirst()
  return row !== undefined
}

import { AccountId, ApplicationId, MerchantId } from '@muripo/contract/ids'
import type { KeyPermission } from '@muripo/contract/permissions'
import { sql } from 'kysely'
import { batched } from '../../platform/db/batcher.ts'
import { type Queryable, runPrepared, type Tx } from '../../platform/db/database.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'
import type { KeyMode } from '../../platform/settings.ts'
import { createGrant, type KeyGrant } from './key-grant.ts'

/** The account and the application that a key authenticates. */
export interface KeyOwner {
  readonly accountId: AccountId
  /** The owner of the environment. */
  readonly merchantId: MerchantId
  readonly applicationId: ApplicationId
  readonly keyId: string
  readonly applicationName: string
  /** Neither deactivated by its owner nor stopped by the operator. */
  readonly active: boolean
  /** Neither suspended nor closed. */
  readonly merchantActive: boolean
  readonly mode: KeyMode
  /** The grant of a named key; null for a key of the application, which may do everything. */
  readonly grant: KeyGrant | null
}

/** Revokes the key of an application, and none of its named keys. */
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
    .where('name', 'is', null)
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

interface Requested {
  readonly lookup: string
  readonly mode: KeyMode
}

interface Row {
  readonly place: number
  readonly account_id: string
  readonly merchant_id: string
  readonly application_id: string
  readonly key_id: string
  readonly mode: KeyMode
  readonly name: string
  readonly active: boolean
  readonly merchant_active: boolean
  readonly permissions: readonly KeyPermission[] | null
  readonly allowed_addresses: readonly string[] | null
  readonly expires_at: Date | null
}

/**
 * Finds the owner of a key. Every other read has an account id. A key works in its environment alone: the account id that equals
 * the merchant's id has the gateway's mode, the other one is for tests.
 */
export async function findKeyOwner(
  db: Queryable,
  lookup: Buffer,
  keyMode: KeyMode,
): Promise<KeyOwner | null> {
  const row = await findRow(db, { lookup: lookup.toString('hex'), mode: keyMode })
  if (!row) return null
  return {
    accountId: idFrom(AccountId, row.account_id),
    merchantId: idFrom(MerchantId, row.merchant_id),
    applicationId: idFrom(ApplicationId, row.application_id),
    keyId: row.key_id,
    applicationName: row.name,
    active: row.active,
    merchantActive: row.merchant_active,
    mode: row.mode,
    grant: row.permissions && createGrant(row.permissions, row.allowed_addresses, row.expires_at),
  }
}

const findRow = batched<Queryable, Requested, Row | undefined>(async (db, requested) => {
  const find = sql<Row>`
    select given.place, k.account_id, b.merchant_id, k.application_id, k.id as key_id, k.mode, a.name, a.merchant_active,
      k.permissions, k.allowed_addresses, k.expires_at,
      a.status = 'active' and a.operator_stop_reason is null as active
    from json_to_recordset(${JSON.stringify(requested.map((each, place) => ({ ...each, place })))}) as given
      (lookup text, mode text, place int)
    join application_keys k on k.lookup = decode(given.lookup, 'hex')
    join applications a on a.account_id = k.account_id and a.id = k.application_id
    join environments b on b.id = k.account_id
    where k.mode = case when b.id = b.merchant_id then given.mode else 'test' end and ${sql.raw(isActiveKey)}`
  const rows = await runPrepared(db, 'find-key-owners', find)
  const found = new Map(rows.map((row) => [row.place, row]))
  return requested.map((_, place) => found.get(place))
})

/** The SQL condition on a key `k` that is neither revoked nor expired. */
export const isActiveKey = 'k.revoked_at is null and (k.expires_at is null or k.expires_at > muripo_now())'

/** The SQL condition on an application `a` that may write, and its merchant too. Each statement that writes for a key contains it. */
export const mayWrite = `a.status = 'active' and a.operator_stop_reason is null and a.merchant_active`

/** An active key is not replaced, its application is not stopped, and its merchant is neither suspended nor closed. */
export async function keyStateOf(
  db: Queryable,
  { accountId, applicationId, keyId }: Pick<KeyOwner, 'accountId' | 'applicationId' | 'keyId'>,
): Promise<'active' | 'invalid_key' | 'merchant_not_active' | 'application_inactive'> {
  const find = db
    .selectFrom('application_keys as k')
    .innerJoin('applications as a', (join) =>
      join.onRef('a.account_id', '=', 'k.account_id').onRef('a.id', '=', 'k.application_id'),
    )
    .select(['a.merchant_active', sql<boolean>`${sql.raw(mayWrite)}`.as('may_write')])
    .where('k.account_id', '=', uuidOf(accountId))
    .where('k.application_id', '=', uuidOf(applicationId))
    .where('k.id', '=', keyId)
    .where(sql<boolean>`${sql.raw(isActiveKey)}`)
  const [row] = await runPrepared(db, 'key-state', find)
  if (!row) return 'invalid_key'
  if (row.may_write) return 'active'
  return row.merchant_active ? 'application_inactive' : 'merchant_not_active'
}

/**
 * The owner of an application's active key, for a session of its merchant; null when there is no such application. `owner` is null without
 * an active key, and `hadKey` tells a revoked key from one that never existed.
 */
export async function findOwnerOfApplication(
  db: Queryable,
  merchantId: MerchantId,
  applicationId: ApplicationId,
  mode: KeyMode,
): Promise<{ readonly owner: KeyOwner | null; readonly hadKey: boolean } | null> {
  const row = await db
    .selectFrom('applications as a')
    .leftJoin('application_keys as k', (join) =>
      join
        .onRef('k.account_id', '=', 'a.account_id')
        .onRef('k.application_id', '=', 'a.id')
        .on('k.mode', '=', mode)
        .on('k.name', 'is', null),
    )
    .select(['k.id as key_id', 'k.revoked_at', 'a.name', 'a.merchant_active'])
    .select(sql<boolean>`a.status = 'active' and a.operator_stop_reason is null`.as('active'))
    .where('a.account_id', '=', uuidOf(merchantId))
    .where('a.id', '=', uuidOf(applicationId))
    // The active key is the first row.
    .orderBy(sql`k.revoked_at is not null`)
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  const { key_id: keyId, name, active, merchant_active: merchantActive } = row
  const owner = { accountId: merchantId, merchantId, applicationId, applicationName: name, mode }
  return {
    owner:
      keyId === null || row.revoked_at !== null
        ? null
        : { ...owner, keyId, active, merchantActive, grant: null },
    hadKey: keyId !== null,
  }
}

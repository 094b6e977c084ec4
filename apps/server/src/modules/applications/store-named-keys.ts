import type { NamedKey } from '@muripo/contract/application-keys'
import { AccountId, ApplicationId, KeyId, type MerchantId, type PersonId } from '@muripo/contract/ids'
import type { KeyPermission } from '@muripo/contract/permissions'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'
import type { KeyMode } from '../../platform/settings.ts'
import type { KeyOwner } from './store-keys.ts'

/** The application of named keys. */
export interface KeyScope {
  readonly merchantId: MerchantId
  readonly applicationId: ApplicationId
}

export interface NewNamedKey {
  readonly accountId: AccountId
  readonly applicationId: ApplicationId
  readonly id: KeyId
  readonly mode: KeyMode
  readonly lookup: Buffer
  readonly name: string
  readonly permissions: readonly KeyPermission[]
  readonly expiresAt: Date | null
  readonly allowedAddresses: readonly string[] | null
  readonly createdBy: PersonId
  readonly createdAt: Date
}

export async function insertNamedKey(tx: Tx, key: NewNamedKey): Promise<void> {
  await tx
    .insertInto('application_keys')
    .values({
      account_id: uuidOf(key.accountId),
      application_id: uuidOf(key.applicationId),
      id: uuidOf(key.id),
      mode: key.mode,
      lookup: key.lookup,
      encrypted: null,
      created_at: key.createdAt,
      name: key.name,
      permissions: [...key.permissions],
      expires_at: key.expiresAt,
      allowed_addresses: key.allowedAddresses && [...key.allowedAddresses],
      created_by: uuidOf(key.createdBy),
    })
    .execute()
}

/** A named key with the account of its environment. */
export interface StoredKey extends NamedKey {
  readonly accountId: string
}

/** In both environments of the merchant. */
const working = (merchantId: MerchantId) => sql<boolean>`
  k.account_id in (select id from environments where merchant_id = ${uuidOf(merchantId)}) and k.name is not null
  and k.revoked_at is null and (k.expires_at is null or k.expires_at > muripo_now())`
const ofScope = ({ merchantId, applicationId }: KeyScope) => sql<boolean>`
  ${working(merchantId)} and k.application_id = ${uuidOf(applicationId)}`

const selectKeys = (q: Queryable, scope: KeyScope) =>
  q
    .selectFrom('application_keys as k')
    .select([
      'k.account_id',
      'k.id',
      'k.name',
      'k.mode',
      'k.permissions',
      'k.expires_at',
      'k.allowed_addresses',
      'k.created_at',
      'k.last_used_at',
      'k.last_used_address',
    ])
    .where(ofScope(scope))
    .orderBy('k.created_at', 'desc')
    .orderBy('k.id', 'desc')

type Row = Awaited<ReturnType<ReturnType<typeof selectKeys>['execute']>>[number]

const toStored = (row: Row): StoredKey => ({
  accountId: row.account_id,
  id: idFrom(KeyId, row.id),
  name: row.name ?? '',
  mode: row.mode as KeyMode,
  permissions: (row.permissions ?? []) as KeyPermission[],
  expiresAt: row.expires_at?.toISOString() ?? null,
  allowedAddresses: row.allowed_addresses,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  lastUsedAddress: row.last_used_address,
})

/** The named keys of an application that work, the newest first. */
export async function listNamedKeys(q: Queryable, scope: KeyScope): Promise<StoredKey[]> {
  return (await selectKeys(q, scope).execute()).map(toStored)
}

export interface MadeKey {
  readonly id: KeyId
  readonly name: string
  readonly applicationId: ApplicationId
}

/** The named keys that a person made for a merchant and that work, the newest first. */
export async function keysMadeBy(
  q: Queryable,
  merchantId: MerchantId,
  personId: PersonId,
): Promise<MadeKey[]> {
  const rows = await q
    .selectFrom('application_keys as k')
    .select(['k.id', 'k.name', 'k.application_id'])
    .where(working(merchantId))
    .where('k.created_by', '=', uuidOf(personId))
    .orderBy('k.id', 'desc')
    .execute()
  return rows.map(({ id, name, application_id }) => ({
    id: idFrom(KeyId, id),
    name: name ?? '',
    applicationId: idFrom(ApplicationId, application_id),
  }))
}

export async function findNamedKey(q: Queryable, scope: KeyScope, id: KeyId): Promise<StoredKey | null> {
  const row = await selectKeys(q, scope).where('k.id', '=', uuidOf(id)).executeTakeFirst()
  return row ? toStored(row) : null
}

export interface KeyChange {
  readonly name?: string | undefined
  readonly expiresAt?: Date | undefined
  readonly allowedAddresses?: readonly string[] | null | undefined
}

export async function updateNamedKey(tx: Tx, { accountId, id }: StoredKey, change: KeyChange): Promise<void> {
  await tx
    .updateTable('application_keys')
    .set({
      ...(change.name !== undefined && { name: change.name }),
      ...(change.expiresAt !== undefined && { expires_at: change.expiresAt }),
      ...(change.allowedAddresses !== undefined && {
        allowed_addresses: change.allowedAddresses && [...change.allowedAddresses],
      }),
    })
    .where('account_id', '=', accountId)
    .where('id', '=', uuidOf(id))
    .execute()
}

/** Revokes one key, named or not. @returns whether it was active */
export async function revokeKeyById(
  tx: Tx,
  key: { readonly accountId: string; readonly applicationId: ApplicationId; readonly keyId: string },
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('application_keys')
    .set({ revoked_at: at, encrypted: null })
    .where('account_id', '=', key.accountId)
    .where('application_id', '=', uuidOf(key.applicationId))
    .where('id', '=', key.keyId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Records the last use of a key, never an earlier one. */
export async function recordUse(
  q: Queryable,
  { accountId, applicationId, keyId }: Pick<KeyOwner, 'accountId' | 'applicationId' | 'keyId'>,
  { at, address }: { readonly at: Date; readonly address: string },
): Promise<void> {
  await q
    .updateTable('application_keys')
    .set({ last_used_at: at, last_used_address: address })
    .where('account_id', '=', uuidOf(accountId))
    .where('application_id', '=', uuidOf(applicationId))
    .where('id', '=', keyId)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at)]))
    .execute()
}

export interface EndingKey {
  readonly accountId: AccountId
  readonly applicationId: ApplicationId
  readonly keyId: string
  readonly name: string
  readonly mode: KeyMode
  readonly expiresAt: Date
}

/**
 * Takes the named keys that end within so many days and about which nobody was mailed so late. Their rows stay locked until the mail is queued.
 */
export async function takeEndingKeys(tx: Tx, days: number, limit: number): Promise<EndingKey[]> {
  const { rows } = await sql<{
    account_id: string
    application_id: string
    id: string
    name: string
    mode: KeyMode
    expires_at: Date
  }>`
    update application_keys k set expiry_notice = ${days} from (
      select account_id, application_id, id from application_keys
      where expires_at > muripo_now() and expires_at <= muripo_now() + ${days} * interval '1 day' and name is not null
        and revoked_at is null and (expiry_notice is null or expiry_notice > ${days})
      limit ${limit} for update skip locked
    ) ending
    where k.account_id = ending.account_id and k.application_id = ending.application_id and k.id = ending.id
    returning k.account_id, k.application_id, k.id, k.name, k.mode, k.expires_at`.execute(tx)
  return rows.map((row) => ({
    accountId: idFrom(AccountId, row.account_id),
    applicationId: idFrom(ApplicationId, row.application_id),
    keyId: row.id,
    name: row.name,
    mode: row.mode,
    expiresAt: row.expires_at,
  }))
}

import type { Application as WireApplication } from '@muripo/contract/applications'
import { ApplicationId, MerchantId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import { gathered } from '../../platform/db/gathered.ts'
import { rowsFor, type Wanted } from '../../platform/db/wanted.ts'
import { invariant } from '../../platform/errors.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'
import { type Banking, toBanking } from './store-banking.ts'

export interface StoredApplication {
  readonly id: ApplicationId
  readonly name: string
  readonly description: string
  readonly category: string
  readonly status: WireApplication['status']
  readonly sealedKey: Buffer
  readonly banking: Banking | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Who a key speaks for. */
export interface KeyOwner {
  readonly merchantId: MerchantId
  readonly applicationId: ApplicationId
  readonly keyId: string
  readonly applicationName: string
  readonly active: boolean
}

const selectApplications = (db: Queryable, merchantId: MerchantId, mode: string) =>
  db
    .selectFrom('applications as a')
    .innerJoin('application_keys as k', (join) =>
      join
        .onRef('k.merchant_id', '=', 'a.merchant_id')
        .onRef('k.application_id', '=', 'a.id')
        .on('k.revoked_at', 'is', null)
        .on('k.mode', '=', mode),
    )
    .selectAll('a')
    .select('k.sealed')
    .where('a.merchant_id', '=', uuidOf(merchantId))

type Row = Awaited<ReturnType<ReturnType<typeof selectApplications>['executeTakeFirstOrThrow']>>

const toApplication = (row: Row): StoredApplication => ({
  id: idFrom(ApplicationId, row.id),
  name: row.name,
  description: row.description,
  category: row.category,
  status: row.status as StoredApplication['status'],
  sealedKey: row.sealed,
  banking: toBanking(row),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export async function listByMerchant(
  db: Queryable,
  merchantId: MerchantId,
  mode: string,
): Promise<StoredApplication[]> {
  const rows = await selectApplications(db, merchantId, mode).orderBy('a.id', 'desc').execute()
  return rows.map(toApplication)
}

export async function findApplication(
  db: Queryable,
  merchantId: MerchantId,
  mode: string,
  id: ApplicationId,
): Promise<StoredApplication | null> {
  const row = await selectApplications(db, merchantId, mode).where('a.id', '=', uuidOf(id)).executeTakeFirst()
  return row ? toApplication(row) : null
}

export async function insertApplication(
  tx: Tx,
  merchantId: MerchantId,
  row: { id: ApplicationId; name: string; description: string; category: string; createdAt: Date },
): Promise<void> {
  await tx
    .insertInto('applications')
    .values({
      merchant_id: uuidOf(merchantId),
      id: uuidOf(row.id),
      name: row.name,
      description: row.description,
      category: row.category,
      created_at: row.createdAt,
      updated_at: row.createdAt,
    })
    .execute()
}

/** Makes changes of one application follow one another. False when the merchant has none by this id. */
export async function lockApplication(tx: Tx, merchantId: MerchantId, id: ApplicationId): Promise<boolean> {
  const row = await tx
    .selectFrom('applications')
    .select('id')
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('id', '=', uuidOf(id))
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

export async function hasApplication(
  db: Queryable,
  merchantId: MerchantId,
  id: ApplicationId,
): Promise<boolean> {
  const row = await db
    .selectFrom('applications')
    .select('id')
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('id', '=', uuidOf(id))
    .executeTakeFirst()
  return row !== undefined
}

/** That it changed at this time, and to which status if to another one. */
export async function touchApplication(
  tx: Tx,
  merchantId: MerchantId,
  id: ApplicationId,
  at: Date,
  status?: StoredApplication['status'],
): Promise<void> {
  await tx
    .updateTable('applications')
    .set({ updated_at: at, ...(status === undefined ? {} : { status }) })
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('id', '=', uuidOf(id))
    .execute()
}

export async function revokeKeys(
  tx: Tx,
  merchantId: MerchantId,
  applicationId: ApplicationId,
  mode: string,
  at: Date,
): Promise<void> {
  await tx
    .updateTable('application_keys')
    .set({ revoked_at: at })
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('application_id', '=', uuidOf(applicationId))
    .where('mode', '=', mode)
    .where('revoked_at', 'is', null)
    .execute()
}

export async function insertKey(
  tx: Tx,
  merchantId: MerchantId,
  applicationId: ApplicationId,
  key: { id: string; mode: string; lookup: Buffer; sealed: Buffer; createdAt: Date },
): Promise<void> {
  await tx
    .insertInto('application_keys')
    .values({
      merchant_id: uuidOf(merchantId),
      application_id: uuidOf(applicationId),
      id: key.id,
      mode: key.mode,
      lookup: key.lookup,
      sealed: key.sealed,
      created_at: key.createdAt,
    })
    .execute()
}

/** The one read that starts without a merchant: the key is what tells whose call it is. */
export async function findKeyOwner(db: Queryable, lookup: Buffer, mode: string): Promise<KeyOwner | null> {
  const row = await db
    .selectFrom('application_keys as k')
    .innerJoin('applications as a', (join) =>
      join.onRef('a.merchant_id', '=', 'k.merchant_id').onRef('a.id', '=', 'k.application_id'),
    )
    .select(['k.merchant_id', 'k.application_id', 'k.id as key_id', 'a.name', 'a.status'])
    .where('k.lookup', '=', lookup)
    .where('k.mode', '=', mode)
    .where('k.revoked_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  return {
    merchantId: idFrom(MerchantId, row.merchant_id),
    applicationId: idFrom(ApplicationId, row.application_id),
    keyId: row.key_id,
    applicationName: row.name,
    active: row.status === 'active',
  }
}

export async function isKeyInForce(
  db: Queryable,
  { merchantId, applicationId, keyId }: Pick<KeyOwner, 'merchantId' | 'applicationId' | 'keyId'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('application_keys')
    .select('id')
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('application_id', '=', uuidOf(applicationId))
    .where('id', '=', keyId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the key may still do something: neither replaced nor of an application that was stopped. */
export async function isInForce(
  db: Queryable,
  { merchantId, applicationId, keyId }: Pick<KeyOwner, 'merchantId' | 'applicationId' | 'keyId'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('application_keys as k')
    .innerJoin('applications as a', (join) =>
      join.onRef('a.merchant_id', '=', 'k.merchant_id').onRef('a.id', '=', 'k.application_id'),
    )
    .select('k.id')
    .where('k.merchant_id', '=', uuidOf(merchantId))
    .where('k.application_id', '=', uuidOf(applicationId))
    .where('k.id', '=', keyId)
    .where('k.revoked_at', 'is', null)
    .where('a.status', '=', 'active')
    .executeTakeFirst()
  return row !== undefined
}

/** @throws when there is no such application: callers hold its id from a row that refers to it. */
export async function findApplicationName(
  db: Queryable,
  merchantId: MerchantId,
  id: ApplicationId,
): Promise<string> {
  const name = await nameOf(db, { merchant_id: uuidOf(merchantId), id: uuidOf(id) })
  invariant(name !== undefined, 'an application is never deleted')
  return name
}

const nameOf = gathered<Queryable, Wanted, string | undefined>(async (db, wanted) => {
  const { rows } = await sql<Wanted & { name: string }>`
    select merchant_id, id, name from applications
    join json_to_recordset(${JSON.stringify(wanted)}) as wanted (merchant_id uuid, id uuid) using (merchant_id, id)`.execute(
    db,
  )
  return rowsFor(wanted, rows).map((row) => row?.name)
})

/** The merchant's applications with the same name as this one, itself among them; none when it is not the merchant's. */
export async function namesakesOf(
  db: Queryable,
  merchantId: MerchantId,
  id: ApplicationId,
): Promise<ApplicationId[]> {
  const rows = await db
    .selectFrom('applications as chosen')
    .innerJoin('applications as namesake', (join) =>
      join
        .onRef('namesake.merchant_id', '=', 'chosen.merchant_id')
        .onRef('namesake.name', '=', 'chosen.name'),
    )
    .where('chosen.merchant_id', '=', uuidOf(merchantId))
    .where('chosen.id', '=', uuidOf(id))
    .select('namesake.id')
    .execute()
  return rows.map((row) => idFrom(ApplicationId, row.id))
}

import { AccountId, ApplicationId, type MerchantId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Ctx } from '../../platform/ctx.ts'
import { alignRows, batched, type RowKey } from '../../platform/db/batcher.ts'
import { type Queryable, runPrepared, type Tx } from '../../platform/db/database.ts'
import type { EntityOf } from '../../platform/db/table.ts'
import { invariant } from '../../platform/errors.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'
import { applications } from './tables.ts'

export interface StoredApplication extends EntityOf<typeof applications> {
  /** Null in a live gateway until the merchant is approved. */
  readonly encryptedKey: Buffer | null
  /** The key of the test environment and its account id; null when there is none. */
  readonly testKey: { readonly accountId: AccountId; readonly encrypted: Buffer } | null
  readonly brandColour: string | null
  readonly logoHash: string | null
}

const selectApplications = (db: Queryable, accountId: AccountId, mode: string) =>
  db
    .selectFrom('applications as a')
    .leftJoin('application_keys as k', (join) =>
      join
        .onRef('k.account_id', '=', 'a.account_id')
        .onRef('k.application_id', '=', 'a.id')
        .on('k.revoked_at', 'is', null)
        .on('k.name', 'is', null)
        .on('k.mode', '=', mode),
    )
    .leftJoin('environments as t', (join) =>
      join.onRef('t.merchant_id', '=', 'a.account_id').on('t.kind', '=', 'tests'),
    )
    .leftJoin('application_keys as tk', (join) =>
      join
        .onRef('tk.account_id', '=', 't.id')
        .onRef('tk.application_id', '=', 'a.id')
        .on('tk.revoked_at', 'is', null)
        .on('tk.name', 'is', null),
    )
    .leftJoin('application_brands as b', (join) =>
      join.onRef('b.account_id', '=', 'a.account_id').onRef('b.application_id', '=', 'a.id'),
    )
    .selectAll('a')
    .select(['b.colour', 'b.logo_hash'])
    .select(['k.encrypted', 'tk.encrypted as test_encrypted', 't.id as test_account'])
    .where('a.account_id', '=', uuidOf(accountId))

type Row = Awaited<ReturnType<ReturnType<typeof selectApplications>['executeTakeFirstOrThrow']>>

const toApplication = (row: Row): StoredApplication => ({
  ...applications.read(row),
  encryptedKey: row.encrypted,
  testKey:
    row.test_account === null || row.test_encrypted === null
      ? null
      : { accountId: idFrom(AccountId, row.test_account), encrypted: row.test_encrypted },
  brandColour: row.colour,
  logoHash: row.logo_hash,
})

export async function listByMerchant(
  db: Queryable,
  accountId: AccountId,
  mode: string,
): Promise<StoredApplication[]> {
  const rows = await selectApplications(db, accountId, mode).orderBy('a.id', 'desc').execute()
  return rows.map(toApplication)
}

/** The applications that take payments, by name. */
export async function listActive(
  db: Queryable,
  accountId: AccountId,
): Promise<Pick<StoredApplication, 'id' | 'name'>[]> {
  const rows = await db
    .selectFrom('applications as a')
    .select(['a.id', 'a.name'])
    .where('a.account_id', '=', uuidOf(accountId))
    .where('a.status', '=', 'active')
    .where('a.operator_stop_reason', 'is', null)
    .orderBy('a.name')
    .execute()
  return rows.map(({ id, name }) => ({ id: idFrom(ApplicationId, id), name }))
}

export async function findApplication(
  db: Queryable,
  accountId: AccountId,
  mode: string,
  id: ApplicationId,
): Promise<StoredApplication | null> {
  const row = await selectApplications(db, accountId, mode).where('a.id', '=', uuidOf(id)).executeTakeFirst()
  return row ? toApplication(row) : null
}

export async function insertApplication(
  tx: Tx,
  accountId: AccountId,
  application: Pick<StoredApplication, 'id' | 'name' | 'description' | 'category' | 'createdAt'>,
): Promise<void> {
  const values = applications.row({ accountId, ...application, updatedAt: application.createdAt })
  await tx.insertInto('applications').values(values).execute()
}

/** Copies the application to the other environment of its merchant. */
export async function mirrorApplication(
  tx: Tx,
  merchantId: MerchantId,
  id: ApplicationId,
  accountId: AccountId,
): Promise<void> {
  await sql`
    insert into applications (account_id, id, name, description, category, status, created_at, updated_at)
    select ${uuidOf(accountId)}, id, name, description, category, status, created_at, updated_at from applications
    where account_id = ${uuidOf(merchantId)} and id = ${uuidOf(id)}
    on conflict (account_id, id) do nothing`.execute(tx)
}

/** Serialises changes of one application. False when the merchant has no application with this id. */
export async function lockApplication(tx: Tx, accountId: AccountId, id: ApplicationId): Promise<boolean> {
  const row = await tx
    .selectFrom('applications')
    .select('id')
    .where('account_id', '=', uuidOf(accountId))
    .where('id', '=', uuidOf(id))
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

export async function hasApplication(
  db: Queryable,
  accountId: AccountId,
  id: ApplicationId,
): Promise<boolean> {
  const row = await db
    .selectFrom('applications')
    .select('id')
    .where('account_id', '=', uuidOf(accountId))
    .where('id', '=', uuidOf(id))
    .executeTakeFirst()
  return row !== undefined
}

/** Records the time of a change, and the new status if there is one, in both environments. */
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
    .where('account_id', 'in', (eb) =>
      eb.selectFrom('environments').select('id').where('merchant_id', '=', uuidOf(merchantId)),
    )
    .where('id', '=', uuidOf(id))
    .execute()
}

/** @throws when there is no such application: callers have its id from a row that refers to it. */
export async function findApplicationName(
  db: Queryable,
  accountId: AccountId,
  id: ApplicationId,
): Promise<string> {
  const name = await nameOf(db, { account_id: uuidOf(accountId), id: uuidOf(id) })
  invariant(name !== undefined, 'an application is never deleted')
  return name
}

const nameOf = batched<Queryable, RowKey, string | undefined>(async (db, rowKeys) => {
  const find = sql<RowKey & { name: string }>`
    select account_id, id, name from applications
    join json_to_recordset(${JSON.stringify(rowKeys)}) as row_keys (account_id uuid, id uuid) using (account_id, id)`
  const rows = await runPrepared(db, 'find-application-names', find)
  return alignRows(rowKeys, rows).map((row) => row?.name)
})

/** The merchant's applications with the same name, including this one; none when the merchant has no such application. */
export async function namesakesOf(
  db: Queryable,
  accountId: AccountId,
  id: ApplicationId,
): Promise<ApplicationId[]> {
  const rows = await db
    .selectFrom('applications as chosen')
    .innerJoin('applications as namesake', (join) =>
      join.onRef('namesake.account_id', '=', 'chosen.account_id').onRef('namesake.name', '=', 'chosen.name'),
    )
    .where('chosen.account_id', '=', uuidOf(accountId))
    .where('chosen.id', '=', uuidOf(id))
    .select('namesake.id')
    .execute()
  return rows.map((row) => idFrom(ApplicationId, row.id))
}

/** The names of a merchant's applications. */
export async function applicationNames(
  { db }: Pick<Ctx, 'db'>,
  accountId: AccountId,
): Promise<ReadonlyMap<ApplicationId, string>> {
  const rows = await db.kysely
    .selectFrom('applications')
    .select(['id', 'name'])
    .where('account_id', '=', uuidOf(accountId))
    .execute()
  return new Map(rows.map(({ id, name }) => [idFrom(ApplicationId, id), name]))
}

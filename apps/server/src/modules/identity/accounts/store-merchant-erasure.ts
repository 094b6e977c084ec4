import type { MerchantId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { databaseNow } from '../../../platform/db/database-time.ts'
import { uuidOf } from '../../../platform/ids.ts'

const ERASED = 'Erased'

export async function isErased(q: Queryable, id: MerchantId): Promise<boolean> {
  const row = await q
    .selectFrom('merchants')
    .select('erased_at')
    .where('id', '=', uuidOf(id))
    .executeTakeFirst()
  return row !== undefined && row.erased_at !== null
}

/** The ids of a merchant's environments: the merchant's own, and that for tests. */
export async function environmentsOf(q: Queryable, id: MerchantId): Promise<readonly string[]> {
  const rows = await q
    .selectFrom('environments')
    .select('id')
    .where('merchant_id', '=', uuidOf(id))
    .orderBy('id')
    .execute()
  return rows.map((row) => row.id)
}

/** Replaces the personal details of a closed merchant, and deletes everything with which its owner signed in. */
export async function eraseAccount(tx: Tx, id: MerchantId, passwordHash: string): Promise<void> {
  const merchant = uuidOf(id)
  await tx
    .updateTable('merchants')
    .set({
      fullname: ERASED,
      email: `${merchant}@erased.invalid`,
      phone: ERASED,
      locale: null,
      password_hash: passwordHash,
      prompt_name: sql`case when prompt_name is not null then ${ERASED} end`,
      erased_at: databaseNow,
    })
    .where('id', '=', merchant)
    .execute()
  for (const table of ['passkey_challenges', 'passkeys', 'devices', 'one_time_codes', 'sessions'] as const)
    await tx.deleteFrom(table).where('merchant_id', '=', merchant).execute()
  // The account keeps the row of its document, whose file the caller removes.
  await tx
    .updateTable('documents')
    .set({ size_bytes: 1, sha256: Buffer.alloc(32) })
    .where('id', '=', sql<string>`(select document_id from merchants where id = ${merchant})`)
    .execute()
}

/** The names of the files of a merchant's document. */
export async function documentFilesOf(q: Queryable, id: MerchantId): Promise<readonly string[]> {
  const row = await q
    .selectFrom('documents as d')
    .innerJoin('merchants as m', 'm.document_id', 'd.id')
    .select(['d.storage_key', 'd.spare_key'])
    .where('m.id', '=', uuidOf(id))
    .executeTakeFirstOrThrow()
  return [row.storage_key, row.spare_key ?? []].flat()
}

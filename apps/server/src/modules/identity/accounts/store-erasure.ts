import type { MerchantId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { databaseNow } from '../../../platform/db/database-time.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { deleteMemberships } from '../memberships/store-memberships.ts'

const ERASED = 'Erased'

export async function isErased(q: Queryable, id: MerchantId): Promise<boolean> {
  const row = await q
    .selectFrom('merchants')
    .select('erased_at')
    .where('id', '=', uuidOf(id))
    .executeTakeFirst()
  return row !== undefined && row.erased_at !== null
}

/**
 * Replaces the personal details of a closed merchant that the caller has locked, and deletes the persons who are members of no other
 * merchant, with everything with which they signed in.
 */
export async function eraseMerchantAccount(tx: Tx, id: MerchantId): Promise<void> {
  const merchant = uuidOf(id)
  await tx
    .updateTable('merchants')
    .set({
      fullname: ERASED,
      email: `${merchant}@erased.invalid`,
      phone: ERASED,
      locale: null,
      prompt_name: sql`case when prompt_name is not null then ${ERASED} end`,
      erased_at: databaseNow,
    })
    .where('id', '=', merchant)
    .execute()
  await tx.deleteFrom('sessions').where('merchant_id', '=', merchant).execute()
  await tx.deleteFrom('invitations').where('merchant_id', '=', merchant).execute()
  await deleteMemberships(tx, id)
  // The account keeps the row of its document, whose file the caller removes.
  await tx
    .updateTable('documents')
    .set({ size_bytes: 1, sha256: Buffer.alloc(32) })
    .where('id', '=', sql<string>`(select document_id from merchants where id = ${merchant})`)
    .execute()
}

/** Removes the files of an erased merchant's document. A file that is gone already is no error. */
export async function removeDocumentFiles(ctx: Ctx, id: MerchantId): Promise<void> {
  const { storage_key, spare_key } = await ctx.db.kysely
    .selectFrom('documents as d')
    .innerJoin('merchants as m', 'm.document_id', 'd.id')
    .select(['d.storage_key', 'd.spare_key'])
    .where('m.id', '=', uuidOf(id))
    .executeTakeFirstOrThrow()
  for (const name of [storage_key, spare_key ?? []].flat()) await ctx.files.discard(name)
}

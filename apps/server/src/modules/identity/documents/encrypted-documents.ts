import { type RawBuilder, sql } from 'kysely'
import type { CountedValues, EncryptedValues } from '../../../platform/crypto/encrypted-values.ts'
import type { Tx } from '../../../platform/db/database.ts'

/** Few documents at a time, because the file of each is read and written. */
const SLICE = 10

/**
 * The files of documents. The new file has a name of its own, so that a restore to an earlier moment finds the file that it refers to. The
 * row is locked while the file is written, so that two processes never replace the same one.
 */
export const encryptedDocuments: EncryptedValues = {
  name: 'documents',
  async count(db, { firstId }) {
    const { rows } = await sql<CountedValues>`
      select coalesce(key_id, ${firstId}) as "keyId", count(*)::int as count
      from documents where discarded_at is null group by 1 order by 1`.execute(db)
    return rows
  },
  async reencrypt(ctx, after) {
    const { activeId, firstId } = ctx.keys.ring
    const isDue = sql<boolean>`discarded_at is null
      and (coalesce(key_id, ${firstId}) <> ${activeId} or spare_key is not null)`
    const found = await ctx.db.kysely
      .selectFrom('documents')
      .select('id')
      .where(isDue)
      .$if(after !== null, (query) => query.where('id', '>', after?.[0] ?? ''))
      .orderBy('id')
      .limit(SLICE)
      .execute()
    for (const { id } of found) {
      const copyKey = ctx.ids.bytes(16).toString('hex')
      while (await ctx.db.tx((tx) => takeStep(ctx, tx, { id, isDue, copyKey })));
    }
    const last = found.at(-1)
    return found.length < SLICE || !last ? null : [last.id]
  },
}

interface DueDocument {
  readonly id: string
  readonly isDue: RawBuilder<boolean>
  /** The name of the file under the active master key. */
  readonly copyKey: string
}

/**
 * Takes the next step of one document: reserves the name of the copy, writes the copy, or discards the file that is not used any more.
 * @returns false when no step is left, or another process has locked the row
 */
async function takeStep(
  { files, keys }: Parameters<EncryptedValues['reencrypt']>[0],
  tx: Tx,
  { id, isDue, copyKey }: DueDocument,
): Promise<boolean> {
  const row = await tx
    .selectFrom('documents')
    .select(['storage_key', 'spare_key', 'size_bytes'])
    .where('id', '=', id)
    .where(isDue)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!row) return false
  const set = async (values: { spare_key: string | null; storage_key?: string; key_id?: string }) => {
    await tx.updateTable('documents').set(values).where('id', '=', id).execute()
    return true
  }
  if (row.spare_key === null) return set({ spare_key: copyKey })
  if (row.spare_key !== copyKey) {
    // The replaced file, or the copy of a process that was interrupted.
    await files.discard(row.spare_key)
    return set({ spare_key: null })
  }
  const key_id = keys.ring.activeId
  const isCopied = await files.copy(row.storage_key, row.size_bytes, copyKey)
  // A lost file, as after a restore without the uploads, is encrypted under no key.
  return isCopied
    ? set({ storage_key: copyKey, spare_key: row.storage_key, key_id })
    : set({ spare_key: null, key_id })
}

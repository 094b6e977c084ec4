import { sql } from 'kysely'
import type { CountedValues, EncryptedValues } from '../../../platform/crypto/encrypted-values.ts'

/** A document is small beside a slice of rows, and slow: its file is read and written. */
const SLICE = 10

/**
 * The files of documents. A replaced file gets another name, so that a restore to an earlier moment finds the one that it refers to. The row
 * is locked while its file is written, so that two processes never replace the same one.
 */
export const encryptedDocuments: EncryptedValues = {
  name: 'documents',
  async count(db, { firstId }) {
    const { rows } = await sql<CountedValues>`
      select coalesce(key_id, ${firstId}) as "keyId", count(*)::int as count
      from documents where discarded_at is null group by 1 order by 1`.execute(db)
    return rows
  },
  async reencrypt({ db, keys, files, ids }, after) {
    const { activeId, firstId } = keys.ring
    const isDue = sql<boolean>`discarded_at is null
      and (coalesce(key_id, ${firstId}) <> ${activeId} or spare_key is not null)`
    const found = await db.kysely
      .selectFrom('documents')
      .select('id')
      .where(isDue)
      .$if(after !== null, (query) => query.where('id', '>', after?.[0] ?? ''))
      .orderBy('id')
      .limit(SLICE)
      .execute()
    for (const { id } of found) {
      const reserved = ids.bytes(16).toString('hex')
      const step = () =>
        db.tx(async (tx) => {
          const row = await tx
            .selectFrom('documents')
            .select(['storage_key', 'spare_key', 'size_bytes'])
            .where('id', '=', id)
            .where(isDue)
            .forUpdate()
            .skipLocked()
            .executeTakeFirst()
          if (!row) return false
          const set = (values: { spare_key: string | null; storage_key?: string; key_id?: string }) =>
            tx.updateTable('documents').set(values).where('id', '=', id).execute()
          if (row.spare_key === null) {
            await set({ spare_key: reserved })
          } else if (row.spare_key === reserved) {
            const isCopied = await files.copy(row.storage_key, row.size_bytes, reserved)
            // A file that is lost, as after a restore without the uploads, is encrypted under no key.
            await set({
              ...(isCopied ? { storage_key: reserved, spare_key: row.storage_key } : { spare_key: null }),
              key_id: activeId,
            })
          } else {
            // The replaced file, or the replacement of a process that was interrupted.
            await files.discard(row.spare_key)
            await set({ spare_key: null })
          }
          return true
        })
      let isDone = false
      while (!isDone) isDone = !(await step())
    }
    const last = found.at(-1)
    return found.length < SLICE || !last ? null : [last.id]
  },
}

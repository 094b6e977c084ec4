import { plusMs } from '../../../../platform/clock.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { retentionMs } from '../../../../platform/jobs/retention.ts'
import { type Discarded, deleteDocument, markUnused } from '../store-documents.ts'

const AT_ONCE = 100

/** Removes documents that no account has claimed within the retention time. The next round continues one that ended early. */
export async function discardUnusedDocuments(ctx: Ctx): Promise<void> {
  await ctx.files.deleteAbandoned()
  let removed: number
  do {
    const now = ctx.clock.now()
    const unused = await markUnused(
      ctx.db.kysely,
      plusMs(now, -retentionMs('unclaimedDocuments')),
      now,
      AT_ONCE,
    )
    removed = await removeDiscarded(ctx, unused)
  } while (removed === AT_ONCE)
}

/**
 * Removes the files of documents, then their rows. After a failure the row stays, and a later round removes the document.
 * @returns the number of removed documents
 */
export async function removeDiscarded(ctx: Ctx, documents: readonly Discarded[]): Promise<number> {
  let removed = 0
  for (const { id, storageKeys } of documents) {
    try {
      for (const storageKey of storageKeys) await ctx.files.discard(storageKey)
      await deleteDocument(ctx.db.kysely, id)
      removed += 1
    } catch (error) {
      ctx.log.error({ err: error, document: id }, 'an unused document could not be removed')
    }
  }
  return removed
}

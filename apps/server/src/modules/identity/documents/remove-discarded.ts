import type { Ctx } from '../../../platform/ctx.ts'
import { type Discarded, deleteDocument } from './store-documents.ts'

/**
 * Removes the files of documents, then their rows. A step that fails leaves a row from which a later round does the rest.
 * @returns how many were removed
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

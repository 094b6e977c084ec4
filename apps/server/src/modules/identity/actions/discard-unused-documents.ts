import { plusMs } from '../../../platform/clock.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { forgetDocument, markUnused } from '../documents/document-store.ts'
import { DAY_MS } from '../limits.ts'

const AT_ONCE = 100

/** Removes what was uploaded a day ago and opened no account. Each step may be the last one: the next round goes on from there. */
export async function discardUnusedDocuments(ctx: Ctx): Promise<void> {
  await ctx.files.forgetAbandoned()
  let removed: number
  do {
    const now = ctx.clock.now()
    const unused = await markUnused(ctx.db.kysely, plusMs(now, -DAY_MS), now, AT_ONCE)
    removed = 0
    for (const { id, storageKey } of unused) {
      try {
        await ctx.files.discard(storageKey)
        await forgetDocument(ctx.db.kysely, id)
        removed += 1
      } catch (error) {
        // The others are not kept longer for it.
        ctx.log.error({ err: error, document: id }, 'an unused document could not be removed')
      }
    }
  } while (removed === AT_ONCE)
}

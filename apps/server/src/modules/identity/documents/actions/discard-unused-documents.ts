import { plusMs } from '../../../../platform/clock.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { retentionMs } from '../../../../platform/retention.ts'
import { removeDiscarded } from '../remove-discarded.ts'
import { markUnused } from '../store-documents.ts'

const AT_ONCE = 100

/**
 * Removes documents that were uploaded an hour ago and that no account has claimed. A round that ends early is continued by the next one.
 */
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

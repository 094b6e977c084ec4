import { plusMs } from '../../../../platform/clock.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { HOUR_MS } from '../../throttles.ts'
import { removeDiscarded } from '../remove-discarded.ts'
import { markUnused } from '../store-documents.ts'

const AT_ONCE = 100

/** Removes what was uploaded an hour ago and opened no account. Each step may be the last one: the next round goes on from there. */
export async function discardUnusedDocuments(ctx: Ctx): Promise<void> {
  await ctx.files.deleteAbandoned()
  let removed: number
  do {
    const now = ctx.clock.now()
    const unused = await markUnused(ctx.db.kysely, plusMs(now, -HOUR_MS), now, AT_ONCE)
    removed = await removeDiscarded(ctx, unused)
  } while (removed === AT_ONCE)
}

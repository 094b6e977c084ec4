import type { Ctx } from '../../../platform/ctx.ts'
import { endSession } from '../session-store.ts'
import type { TokenSubject } from '../tokens.ts'

export async function signOut(ctx: Ctx, holder: TokenSubject): Promise<void> {
  await ctx.db.tx((tx) => endSession(tx, holder, 'signed_out', ctx.clock.now()))
}

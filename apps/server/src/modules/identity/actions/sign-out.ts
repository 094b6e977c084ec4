import type { Ctx } from '../../../platform/ctx.ts'
import type { SessionCaller } from '../session-auth.ts'
import { endSession } from '../session-store.ts'

export async function signOut(ctx: Ctx, caller: SessionCaller): Promise<void> {
  await ctx.db.tx((tx) => endSession(tx, caller, 'signed_out', ctx.clock.now()))
}

import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { endSession } from '../store-sessions.ts'
import type { TokenSubject } from '../tokens.ts'

export async function signOut(
  ctx: Ctx,
  actor: Actor,
  { merchantId, sessionId }: TokenSubject,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const subject = { merchantId, sessionId }
    // Two tabs may do it, and once is what happened.
    if (!(await endSession(tx, subject, 'signed_out', ctx.clock.now()))) return
    await audit(ctx, tx, actor, { action: 'session.signed_out', subject: sessionId, accountId: merchantId })
  })
}

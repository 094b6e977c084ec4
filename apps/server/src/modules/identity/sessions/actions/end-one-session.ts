import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { AppError } from '../../../../platform/errors.ts'
import { endSession } from '../store-sessions.ts'
import type { TokenSubject } from '../tokens.ts'

/**
 * Signs one browser out, at the owner's word.
 * @throws AppError not_found when the merchant has no such session, or none any more.
 */
export async function endOneSession(
  ctx: Ctx,
  actor: Actor,
  { merchantId, sessionId }: TokenSubject,
  confirm: (tx: Tx) => Promise<void>,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    await confirm(tx)
    const ended = await endSession(tx, { merchantId, sessionId }, 'ended_by_owner', ctx.clock.now())
    if (!ended) throw new AppError('not_found')
    await audit(ctx, tx, actor, {
      action: 'session.ended_by_owner',
      subject: sessionId,
      accountId: merchantId,
    })
  })
}

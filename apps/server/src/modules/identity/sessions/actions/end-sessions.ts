import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { accountByEmail, lockAccount } from '../../accounts/store-accounts.ts'
import { endAccess } from '../sessions.ts'

/**
 * Ends all sessions of a merchant for an operator, and the codes that could sign in again.
 * @returns the number of sessions; null when no account has the email
 */
export async function endSessions(ctx: Ctx, operator: Actor, email: string): Promise<number | null> {
  const found = await accountByEmail(ctx.db.kysely, email)
  if (found === null) return null
  return ctx.db.tx(async (tx) => {
    const { id: merchantId } = await lockAccount(tx, found.id)
    const sessions = await endAccess(tx, merchantId, 'operator', ctx.clock.now())
    await audit(ctx, tx, operator, {
      action: 'session.ended_by_operator',
      subject: merchantId,
      accountId: merchantId,
      details: { sessions },
    })
    return sessions
  })
}

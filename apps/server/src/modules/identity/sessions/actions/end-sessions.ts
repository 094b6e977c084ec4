import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { accountByEmail, lockAccount } from '../../accounts/store-accounts.ts'
import { endAccess } from '../sessions.ts'

/**
 * Signs a merchant out everywhere, at an operator's word, and ends the codes that would sign in again.
 * @returns how many sessions there were; null when nobody has the email
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

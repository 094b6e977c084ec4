import type { MerchantId, SessionId } from '@muripo/contract/ids'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { AppError } from '../../../../platform/errors.ts'
import { accountByEmail, lockAccount } from '../../accounts/store-accounts.ts'
import { endCodesOf } from '../../one-time-codes/store-codes.ts'
import { type EndReason, endSession, endSessionsOf } from '../store-sessions.ts'
import type { TokenSubject } from '../tokens.ts'

/** Ends the session of a token's holder. Two tabs of a browser may sign out at once; one audit entry records it. */
export async function signOut(
  ctx: Ctx,
  actor: Actor,
  { merchantId, sessionId }: TokenSubject,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    if (!(await endSession(tx, { merchantId, sessionId }, 'signed_out', ctx.clock.now()))) return
    await audit(ctx, tx, actor, { action: 'session.signed_out', subject: sessionId, accountId: merchantId })
  })
}

/**
 * Ends one session of the account, at the request of its owner.
 * @throws AppError not_found when the merchant has no such session that is open
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

/** Ends every session of the account, the caller's too, and the codes that would open another. */
export async function signOutEverywhere(
  ctx: Ctx,
  actor: Actor,
  merchantId: MerchantId,
  confirm: (tx: Tx) => Promise<void>,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    await lockAccount(tx, merchantId)
    await confirm(tx)
    const sessions = await endAccess(tx, merchantId, 'signed_out_everywhere', ctx.clock.now())
    await audit(ctx, tx, actor, {
      action: 'session.signed_out_everywhere',
      subject: merchantId,
      accountId: merchantId,
      details: { sessions },
    })
  })
}

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

/**
 * Ends the sessions of an account, except one if given, and the codes that would open another. The caller holds the lock of the account.
 * @returns the number of ended sessions
 */
export async function endAccess(
  tx: Tx,
  merchantId: MerchantId,
  reason: EndReason,
  now: Date,
  except: SessionId | null = null,
): Promise<number> {
  // Codes first: a session that one of them opens concurrently is committed before the sessions are ended.
  await endCodesOf(tx, merchantId, now)
  return endSessionsOf(tx, merchantId, reason, now, except)
}

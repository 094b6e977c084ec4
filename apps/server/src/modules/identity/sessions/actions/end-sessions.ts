import type { PersonId, SessionId } from '@muripo/contract/ids'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { AppError } from '../../../../platform/errors.ts'
import { endCodesOf } from '../../one-time-codes/store-codes.ts'
import { accountByEmail, lockAccount } from '../../persons/store-persons.ts'
import type { SessionCaller } from '../session-auth.ts'
import { type EndReason, endSessionsOf } from '../store-sessions.ts'
import type { TokenSubject } from '../tokens.ts'

/** Ends the session of a token's holder. Two tabs of a browser may sign out at once; one audit entry records it. */
export async function signOut(
  ctx: Ctx,
  actor: Actor,
  { merchantId, sessionId }: TokenSubject,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    if ((await endSessionsOf(tx, { merchantId, sessionId }, 'signed_out', ctx.clock.now())) === 0) return
    await audit(ctx, tx, actor, { action: 'session.signed_out', subject: sessionId, accountId: merchantId })
  })
}

/**
 * Ends one session of a person, at any merchant.
 * @throws AppError not_found when the person has no such session that is open
 */
export async function endOneSession(
  ctx: Ctx,
  actor: Actor,
  { caller, sessionId }: { readonly caller: SessionCaller; readonly sessionId: SessionId },
  confirm: (tx: Tx) => Promise<void>,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    await confirm(tx)
    const { merchantId, personId } = caller
    if ((await endSessionsOf(tx, { personId, sessionId }, 'ended_by_owner', ctx.clock.now())) === 0)
      throw new AppError('not_found')
    await audit(ctx, tx, actor, {
      action: 'session.ended_by_owner',
      subject: sessionId,
      accountId: merchantId,
    })
  })
}

/** Ends every session of a person, the caller's too, and the codes that would open another. */
export async function signOutEverywhere(
  ctx: Ctx,
  actor: Actor,
  { merchantId, personId }: SessionCaller,
  confirm: (tx: Tx) => Promise<void>,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    await lockAccount(tx, personId)
    await confirm(tx)
    const sessions = await endAccess(tx, personId, 'signed_out_everywhere', ctx.clock.now())
    await audit(ctx, tx, actor, {
      action: 'session.signed_out_everywhere',
      subject: merchantId,
      accountId: merchantId,
      details: { sessions },
    })
  })
}

/**
 * Ends all sessions of a person for an operator, and the codes that could sign in again.
 * @returns the number of sessions; null when no account has the email
 */
export async function endSessions(ctx: Ctx, operator: Actor, email: string): Promise<number | null> {
  const found = await accountByEmail(ctx.db.kysely, email)
  if (found === null) return null
  return ctx.db.tx(async (tx) => {
    const { personId, merchantId } = await lockAccount(tx, found.personId)
    const sessions = await endAccess(tx, personId, 'operator', ctx.clock.now())
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
 * Ends the sessions of a person, except one if given, and the codes that would open another. The caller holds the lock of the account.
 * @returns the number of ended sessions
 */
export async function endAccess(
  tx: Tx,
  personId: PersonId,
  reason: EndReason,
  now: Date,
  except: SessionId | null = null,
): Promise<number> {
  // Codes first: a session that one of them opens concurrently is committed before the sessions are ended.
  await endCodesOf(tx, personId, now)
  return endSessionsOf(tx, { personId }, reason, now, except)
}

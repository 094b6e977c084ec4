import type { Tokens } from '@muripo/contract/auth'
import { visitorActor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import { plusMs } from '../../../../platform/clock.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { AppError } from '../../../../platform/errors.ts'
import { enforceThrottle, throttles } from '../../throttles.ts'
import { isLive, issueRefreshToken, signTokens } from '../sessions.ts'
import {
  endSessionsOf,
  findRefreshToken,
  lockSession,
  type RefreshToken,
  replaceRefreshToken,
  touchSession,
} from '../store-sessions.ts'
import { readRefreshToken, type TokenSubject } from '../tokens.ts'

/** A repeated call within this time, as after a lost response, has the same response. */
const REPEAT_GRACE_MS = 30 * 1000

/**
 * Exchanges a refresh token for its successor. When an exchanged token is used again after the grace period, somebody has stolen it, so its
 * session ends.
 */
export async function refreshSession(
  ctx: Ctx,
  refreshToken: string,
  from: { address: string; requestId: string },
): Promise<Tokens> {
  const subject = await readRefreshToken(ctx, refreshToken)
  if (subject === null) throw new AppError('refresh_invalid')
  await enforceThrottle(ctx, throttles.refreshesOfSession, subject.sessionId)

  // Null and not an error: the end of the session must be committed.
  const tokens = await ctx.db.tx(async (tx) => {
    const now = ctx.clock.now()
    const session = await lockSession(tx, subject)
    const token = await findRefreshToken(tx, subject, subject.jti)
    if (!session || !token || !isLive(session, now)) return null
    const successor = await successorOf(ctx, tx, subject, token, now)
    if (successor === null) {
      await endSessionsOf(tx, subject, 'refresh_reused', now)
      const { merchantId, sessionId } = subject
      await audit(ctx, tx, visitorActor(from), {
        action: 'session.refresh_reused',
        subject: sessionId,
        accountId: merchantId,
      })
      return null
    }
    await touchSession(tx, subject, now)
    return signTokens(ctx, subject, successor, session.expiresAt)
  })
  if (tokens === null) throw new AppError('refresh_invalid')
  return tokens
}

async function successorOf(
  ctx: Ctx,
  tx: Tx,
  subject: TokenSubject,
  token: RefreshToken,
  now: Date,
): Promise<Pick<RefreshToken, 'id' | 'issuedAt'> | null> {
  if (token.usedAt === null || token.successorId === null) {
    const successor = await issueRefreshToken(ctx, tx, subject)
    await replaceRefreshToken(tx, subject, { id: token.id, usedAt: now, successorId: successor.id })
    return successor
  }
  const successor = await findRefreshToken(tx, subject, token.successorId)
  const isRepeat = now <= plusMs(token.usedAt, REPEAT_GRACE_MS) && successor?.usedAt === null
  return isRepeat ? successor : null
}

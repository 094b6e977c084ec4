import type { Tokens } from '@muripo/contract/auth'
import { visitorActor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import { plusMs } from '../../../../platform/clock.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { AppError } from '../../../../platform/errors.ts'
import { enforceThrottle } from '../../enforce-throttles.ts'
import { throttles } from '../../throttles.ts'
import { addRefreshLink, isLive, type Link, tokensFor } from '../sessions.ts'
import {
  endSession,
  findRefreshLink,
  lockSession,
  type RefreshLink,
  touchSession,
  useRefreshLink,
} from '../store-sessions.ts'
import { readRefreshToken, type TokenSubject } from '../tokens.ts'

const SAME_ANSWER_MS = 30 * 1000

/** Trades a refresh token for its successor. A token that comes back too late was stolen, by this caller or from him. */
export async function refreshSession(
  ctx: Ctx,
  refreshToken: string,
  from: { address: string; requestId: string },
): Promise<Tokens> {
  const subject = await readRefreshToken(ctx, refreshToken)
  if (subject === null) throw new AppError('refresh_invalid')
  await enforceThrottle(ctx, throttles.refreshesOfSession, subject.sessionId)

  // A theft ends the session, and that must be committed: hence null and not an error out of the transaction.
  const tokens = await ctx.db.tx(async (tx) => {
    const now = ctx.clock.now()
    const session = await lockSession(tx, subject)
    const link = await findRefreshLink(tx, subject, subject.jti)
    if (!session || !link || !isLive(session, now)) return null
    const successor = await successorOf(ctx, tx, subject, link, now)
    if (successor === null) {
      await endSession(tx, subject, 'refresh_reused', now)
      const { merchantId, sessionId } = subject
      await audit(ctx, tx, visitorActor(from), {
        action: 'session.refresh_reused',
        subject: sessionId,
        accountId: merchantId,
      })
      return null
    }
    await touchSession(tx, subject, now)
    return tokensFor(ctx, subject, successor, session.expiresAt)
  })
  if (tokens === null) throw new AppError('refresh_invalid')
  return tokens
}

async function successorOf(
  ctx: Ctx,
  tx: Tx,
  subject: TokenSubject,
  link: RefreshLink,
  now: Date,
): Promise<Link | null> {
  if (link.usedAt === null || link.successorId === null) {
    const successor = await addRefreshLink(ctx, tx, subject)
    await useRefreshLink(tx, subject, link.id, successor.id, now)
    return successor
  }
  const successor = await findRefreshLink(tx, subject, link.successorId)
  const isRepeat = now <= plusMs(link.usedAt, SAME_ANSWER_MS) && successor?.usedAt === null
  return isRepeat ? successor : null
}

import type { Tokens } from '@muripo/contract/auth'
import { type MerchantId, SessionId } from '@muripo/contract/ids'
import { plusMs } from '../../platform/clock.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { Tx } from '../../platform/db/database.ts'
import { uuidOf } from '../../platform/ids.ts'
import { insertRefreshLink, insertSession, type Session } from './session-store.ts'
import { SESSION_LIFE_MS, signAccessToken, signRefreshToken, type TokenSubject } from './tokens.ts'

const IDLE_MS = 15 * 60 * 1000

export const isLive = (session: Session, now: Date): boolean =>
  session.endedAt === null && now < session.expiresAt && now < plusMs(session.lastUsedAt, IDLE_MS)

/** However often its tokens are refreshed, a session does not outlive its first end. */
export async function openSession(
  ctx: Ctx,
  tx: Tx,
  merchantId: MerchantId,
): Promise<{ sessionId: SessionId; tokens: Tokens }> {
  const subject = { merchantId, sessionId: ctx.ids.next(SessionId) }
  const createdAt = ctx.clock.now()
  const expiresAt = plusMs(createdAt, SESSION_LIFE_MS)
  await insertSession(tx, subject, { createdAt, expiresAt })
  const link = await addRefreshLink(ctx, tx, subject)
  return { sessionId: subject.sessionId, tokens: await tokensFor(ctx, subject, link, expiresAt) }
}

export interface Link {
  readonly id: string
  readonly issuedAt: Date
}

export async function addRefreshLink(ctx: Ctx, tx: Tx, subject: TokenSubject): Promise<Link> {
  const link = { id: uuidOf(ctx.ids.next({ prefix: 'rft' })), issuedAt: ctx.clock.now() }
  await insertRefreshLink(tx, subject, link)
  return link
}

export async function tokensFor(
  ctx: Ctx,
  subject: TokenSubject,
  link: Link,
  sessionExpiresAt: Date,
): Promise<Tokens> {
  const { id: jti, issuedAt } = link
  const [authToken, refreshToken] = await Promise.all([
    signAccessToken(ctx, subject, sessionExpiresAt),
    signRefreshToken(ctx, subject, { jti, issuedAt, expiresAt: sessionExpiresAt }),
  ])
  return { authToken, refreshToken }
}

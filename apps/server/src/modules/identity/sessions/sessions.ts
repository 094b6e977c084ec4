import type { Tokens } from '@muripo/contract/auth'
import { type MerchantId, SessionId } from '@muripo/contract/ids'
import { plusMs } from '../../../platform/clock.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { coarse } from '../../../platform/http/network.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { browserName, type Visitor } from '../devices/visitor.ts'
import { endCodesOf } from '../one-time-codes/store-codes.ts'
import {
  type EndReason,
  endSessionsOf,
  insertRefreshLink,
  insertSession,
  type Session,
} from './store-sessions.ts'
import { SESSION_LIFE_MS, signAccessToken, signRefreshToken, type TokenSubject } from './tokens.ts'

export const IDLE_MS = 15 * 60 * 1000

export const isLive = (session: Session, now: Date): boolean =>
  session.endedAt === null && now < session.expiresAt && now < plusMs(session.lastUsedAt, IDLE_MS)

/** However often its tokens are refreshed, a session does not outlive its first end. */
export async function openSession(
  ctx: Ctx,
  tx: Tx,
  merchantId: MerchantId,
  { userAgent, address }: Pick<Visitor, 'userAgent' | 'address'>,
): Promise<{ sessionId: SessionId; tokens: Tokens }> {
  const subject = { merchantId, sessionId: ctx.ids.next(SessionId) }
  const createdAt = ctx.clock.now()
  const expiresAt = plusMs(createdAt, SESSION_LIFE_MS)
  const from = { browser: browserName(userAgent), network: coarse(address) }
  await insertSession(tx, subject, { createdAt, expiresAt }, from)
  const link = await addRefreshLink(ctx, tx, subject)
  return { sessionId: subject.sessionId, tokens: await tokensFor(ctx, subject, link, expiresAt) }
}

/**
 * Ends what is open to an account, and what would open it: every session but one, if one is to stay. Under the account's lock.
 * @returns how many sessions there were
 */
export async function endAccess(
  tx: Tx,
  merchantId: MerchantId,
  reason: EndReason,
  now: Date,
  but: SessionId | null = null,
): Promise<number> {
  // Codes first: a session that one of them opens at this moment is committed before the sessions are looked for.
  await endCodesOf(tx, merchantId, now)
  return endSessionsOf(tx, merchantId, reason, now, but)
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

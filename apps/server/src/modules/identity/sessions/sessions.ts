import type { AccountSession } from '@muripo/contract/account'
import type { Tokens } from '@muripo/contract/auth'
import { SessionId } from '@muripo/contract/ids'
import { plusMs } from '../../../platform/clock.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { coarse } from '../../../platform/http/network.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { browserName, type Visitor } from '../devices/visitor.ts'
import {
  findOpenSessions,
  findSession,
  insertRefreshToken,
  insertSession,
  type RefreshToken,
  type Session,
  type SessionSubject,
} from './store-sessions.ts'
import { SESSION_LIFE_MS, signAccessToken, signRefreshToken, type TokenSubject } from './tokens.ts'

const IDLE_MS = 15 * 60 * 1000
/** A password or a code confirms the person of a session for this time. */
export const STEP_UP_MS = 10 * 60 * 1000

export const isLive = (session: Session, now: Date): boolean =>
  session.endedAt === null && now < session.expiresAt && now < plusMs(session.lastUsedAt, IDLE_MS)

/**
 * Opens a session. It ends after `SESSION_LIFE_MS`, however often its tokens are refreshed.
 * @param authenticatedAt the time at which the person entered a password or a code
 */
export async function openSession(
  ctx: Ctx,
  tx: Tx,
  { merchantId, personId }: Pick<SessionSubject, 'merchantId' | 'personId'>,
  { userAgent, address }: Pick<Visitor, 'userAgent' | 'address'>,
  authenticatedAt: Date | null = ctx.clock.now(),
): Promise<{ sessionId: SessionId; tokens: Tokens }> {
  const subject = { merchantId, personId, sessionId: ctx.ids.next(SessionId) }
  const createdAt = ctx.clock.now()
  const expiresAt = plusMs(createdAt, SESSION_LIFE_MS)
  const from = { browser: browserName(userAgent), network: coarse(address) }
  await insertSession(tx, subject, { createdAt, expiresAt, authenticatedAt }, from)
  const refreshToken = await issueRefreshToken(ctx, tx, subject)
  return { sessionId: subject.sessionId, tokens: await signTokens(ctx, subject, refreshToken, expiresAt) }
}

type IssuedToken = Pick<RefreshToken, 'id' | 'issuedAt'>

export async function issueRefreshToken(ctx: Ctx, tx: Tx, subject: TokenSubject): Promise<IssuedToken> {
  const issued = { id: uuidOf(ctx.ids.next({ prefix: 'rft' })), issuedAt: ctx.clock.now() }
  await insertRefreshToken(tx, subject, issued)
  return issued
}

export async function signTokens(
  ctx: Ctx,
  subject: TokenSubject,
  { id: jti, issuedAt }: IssuedToken,
  sessionExpiresAt: Date,
): Promise<Tokens> {
  const [authToken, refreshToken] = await Promise.all([
    signAccessToken(ctx, subject, sessionExpiresAt),
    signRefreshToken(ctx, subject, { jti, issuedAt, expiresAt: sessionExpiresAt }),
  ])
  return { authToken, refreshToken }
}

/** The active sessions among these, for a server that serves a caller long after the call. */
export async function liveSessions(
  ctx: Ctx,
  subjects: readonly TokenSubject[],
): Promise<ReadonlySet<SessionId>> {
  const sessions = await Promise.all(subjects.map((subject) => findSession(ctx.db.kysely, subject)))
  const now = ctx.clock.now()
  return new Set(sessions.flatMap((each) => (each !== null && isLive(each, now) ? [each.sessionId] : [])))
}

/** The active sessions of a person, the caller's own first. */
export async function listSessions(
  ctx: Ctx,
  { personId, sessionId }: Pick<SessionSubject, 'personId' | 'sessionId'>,
): Promise<AccountSession[]> {
  const now = ctx.clock.now()
  const found = await findOpenSessions(ctx.db.kysely, personId, { now, usedSince: plusMs(now, -IDLE_MS) })
  return found
    .map((session) => ({ ...session, current: session._id === sessionId }))
    .sort((a, b) => Number(b.current) - Number(a.current))
}

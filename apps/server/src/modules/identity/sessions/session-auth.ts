import type { RouteSpec } from '@muripo/contract/route'
import type { FastifyRequest } from 'fastify'
import { plusMs } from '../../../platform/clock.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Queryable } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { type Authenticate, bearerOf, isRead, specOf } from '../../../platform/http/route.ts'
import { perAddress, refuseSpent } from '../../../platform/limits/admit.ts'
import { createInMemoryLimit } from '../../../platform/limits/limits.ts'
import { requireAccess } from '../permissions.ts'
import { throttles } from '../throttles.ts'
import { dueAt, requireSecondFactor } from './second-factor.ts'
import { isLive } from './sessions.ts'
import { findSession, type MemberSession, touchSession } from './store-sessions.ts'
import { readAccessToken, readAnyAccessToken, type TokenSubject } from './tokens.ts'

export interface SessionCaller
  extends Pick<MemberSession, 'merchantId' | 'personId' | 'sessionId' | 'role' | 'applications'> {
  /** The time until which the same token is accepted. */
  readonly tokenRefusedAt: Date
  /** The time from which the merchant requires a second factor of the person; null where it requires none. */
  readonly secondFactorDueAt: Date | null
  /** The same of a passkey. */
  readonly passkeyDueAt: Date | null
}

const TOUCH_EVERY_MS = 60 * 1000

/**
 * Authenticates a call by its token and by the row of its session, so that a sign-out takes effect with the next call.
 * @param use false for calls that a page makes automatically, which do not prolong an idle session
 */
export function sessionAuth(ctx: Ctx, { use = true } = {}): Authenticate<SessionCaller> {
  const countUse = createInMemoryLimit(ctx.clock, perAddress(ctx, throttles.callsOfSession))
  const countMerchantUse = createInMemoryLimit(ctx.clock, perAddress(ctx, throttles.callsOfMerchant))

  /** Counts by the claims of the token, before any database query. */
  function refuseTooMany({ sessionId, merchantId }: TokenSubject): void {
    const ofSession = countUse(sessionId)
    refuseSpent([ofSession, countMerchantUse(merchantId, ofSession.refused ? 0 : 1)], ctx.clock.now())
  }

  const authenticate = async (request: FastifyRequest) => {
    const text = bearerOf(request)
    const token = text === null ? null : await readAccessToken(ctx, text)
    if (token === null) throw new AppError('session_invalid')
    refuseTooMany(token)
    const session = await liveSession(ctx, token)
    const now = ctx.clock.now()
    const spec = specOf(request)
    if (spec !== undefined) {
      requireAccess(session, spec, request.params)
      requireSecondFactor(session, spec, now)
    }
    if (!session.merchantActive && !isRead(request)) refuseSuspended(session, spec)
    if (use && now >= plusMs(session.lastUsedAt, TOUCH_EVERY_MS))
      await touchSession(ctx.db.kysely, session, now)
    const { merchantId, personId, sessionId, role, applications } = session
    const member = { merchantId, personId, sessionId, role, applications }
    return {
      ...member,
      tokenRefusedAt: token.refusedAt,
      secondFactorDueAt: dueAt(session.secondFactorSince),
      passkeyDueAt: dueAt(session.passkeySince),
    }
  }
  const confirm = async (caller: SessionCaller, spec: RouteSpec, tx: Queryable = ctx.db.kysely) => {
    const session = await liveSession(ctx, caller, tx)
    requireAccess(session, spec, {})
    requireSecondFactor(session, spec, ctx.clock.now())
    // The grants of the role were read before: an admin who is a developer by now would still make the keys of an admin.
    if (session.role !== caller.role || String(session.applications) !== String(caller.applications))
      throw new AppError('not_permitted', { detail: 'Your membership has changed. Please try again' })
    refuseSuspended(session, spec)
  }
  return Object.assign(authenticate, { confirm })
}

/** @throws AppError session_invalid */
async function liveSession(
  ctx: Ctx,
  subject: TokenSubject,
  db: Queryable = ctx.db.kysely,
): Promise<MemberSession> {
  const session = await findSession(db, subject)
  if (!session || !isLive(session, ctx.clock.now())) throw new AppError('session_invalid')
  return session
}

/**
 * Refuses calls of a suspended merchant, except those that protect the account.
 * @throws AppError merchant_not_active
 */
function refuseSuspended({ merchantActive }: MemberSession, spec: RouteSpec | undefined): void {
  if (!merchantActive && !spec?.protectsAccount) throw new AppError('merchant_not_active')
}

/**
 * Authenticates the holder of a token for the sign-out. An expired token must still end its session, and the second of two tabs that sign
 * out at the same moment is not refused.
 */
export const tokenHolderAuth =
  (ctx: Ctx): Authenticate<TokenSubject> =>
  async (request) => {
    const token = bearerOf(request)
    const subject = token === null ? null : await readAnyAccessToken(ctx, token)
    if (!subject) throw new AppError('session_invalid')
    return subject
  }

import type { MerchantId, SessionId } from '@muripo/contract/ids'
import { plusMs } from '../../platform/clock.ts'
import type { Ctx } from '../../platform/ctx.ts'
import { AppError } from '../../platform/errors.ts'
import { bearerOf } from '../../platform/http/bearer.ts'
import type { Authenticate } from '../../platform/http/route.ts'
import { findSession, touchSession } from './session-store.ts'
import { isLive } from './sessions.ts'
import { readAccessToken } from './tokens.ts'

export interface SessionCaller {
  readonly merchantId: MerchantId
  readonly sessionId: SessionId
}

const TOUCH_EVERY_MS = 60 * 1000

/** The token says who; the session's row says whether still, so that signing out holds from the next call on. */
export const sessionAuth =
  (ctx: Ctx): Authenticate<SessionCaller> =>
  async (request) => {
    const token = bearerOf(request)
    const subject = token === null ? null : await readAccessToken(ctx, token)
    const session = subject && (await findSession(ctx.db.kysely, subject))
    const now = ctx.clock.now()
    if (!session || !isLive(session, now)) throw new AppError('session_invalid')
    if (now >= plusMs(session.lastUsedAt, TOUCH_EVERY_MS)) await touchSession(ctx.db.kysely, session, now)
    return { merchantId: session.merchantId, sessionId: session.sessionId }
  }

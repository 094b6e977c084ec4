import type { SessionId } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import { isLive } from './sessions.ts'
import { findSessions } from './store-sessions.ts'
import type { TokenSubject } from './tokens.ts'

/** The sessions among these that are still active, for a server that serves a caller long after the call. */
export async function liveSessions(
  ctx: Ctx,
  subjects: readonly TokenSubject[],
): Promise<ReadonlySet<SessionId>> {
  const sessions = await findSessions(ctx.db.kysely, subjects)
  const now = ctx.clock.now()
  return new Set(sessions.filter((session) => isLive(session, now)).map(({ sessionId }) => sessionId))
}

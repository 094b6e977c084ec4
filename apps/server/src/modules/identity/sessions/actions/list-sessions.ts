import type { AccountSession } from '@muripo/contract/account'
import { plusMs } from '../../../../platform/clock.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { IDLE_MS } from '../sessions.ts'
import { findOpenSessions } from '../store-sessions.ts'
import type { TokenSubject } from '../tokens.ts'

/** Where the account is signed in, the session that asks first. */
export async function listSessions(
  ctx: Ctx,
  { merchantId, sessionId }: TokenSubject,
): Promise<AccountSession[]> {
  const now = ctx.clock.now()
  const found = await findOpenSessions(ctx.db.kysely, merchantId, { now, usedSince: plusMs(now, -IDLE_MS) })
  return found
    .map((session) => ({ ...session, current: session._id === sessionId }))
    .sort((a, b) => Number(b.current) - Number(a.current))
}

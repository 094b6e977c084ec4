import { sql } from 'kysely'
import { plusMs } from '../../../platform/clock.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { DAY_MS } from '../limits.ts'

const SESSIONS_KEPT_MS = 90 * DAY_MS
const CODES_KEPT_MS = 30 * DAY_MS
const AT_ONCE = 500

/** Deletes sessions with their refresh tokens, and one-time codes, long after their end: a slice of each in a round. */
export async function pruneAccess(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now()
  await sql`
    delete from sessions where (merchant_id, id) in (
      select merchant_id, id from sessions where expires_at < ${plusMs(now, -SESSIONS_KEPT_MS)}
      order by expires_at limit ${AT_ONCE} for update skip locked
    )`.execute(ctx.db.kysely)
  await sql`
    delete from one_time_codes where id in (
      select id from one_time_codes where created_at < ${plusMs(now, -CODES_KEPT_MS)}
      order by created_at limit ${AT_ONCE} for update skip locked
    )`.execute(ctx.db.kysely)
}

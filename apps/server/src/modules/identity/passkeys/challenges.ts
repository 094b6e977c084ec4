import { plusMs } from '../../../platform/clock.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Queryable } from '../../../platform/db/database.ts'
import { type Attempt, upsertChallenge } from './store-challenges.ts'

/** As long as the browser waits for its user, too. */
export const CHALLENGE_LIFE_MS = 5 * 60 * 1000
const CHALLENGE_BYTES = 32

/** What the authenticator is to sign, for this attempt and no other. */
export async function newChallenge(
  ctx: Ctx,
  attempt: Attempt,
  db: Queryable = ctx.db.kysely,
): Promise<Buffer> {
  const challenge = ctx.ids.bytes(CHALLENGE_BYTES)
  await upsertChallenge(db, attempt, challenge, plusMs(ctx.clock.now(), CHALLENGE_LIFE_MS))
  return challenge
}

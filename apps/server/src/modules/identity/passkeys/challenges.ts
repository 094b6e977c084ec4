import { plusMs } from '../../../platform/clock.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Queryable } from '../../../platform/db/database.ts'
import { type Attempt, upsertChallenge } from './store-challenges.ts'

/** The browser waits for its user as long. */
export const CHALLENGE_LIFE_MS = 5 * 60 * 1000
const CHALLENGE_BYTES = 32

/** Creates the challenge that the authenticator signs, for this attempt only. */
export async function newChallenge(
  ctx: Ctx,
  attempt: Attempt,
  db: Queryable = ctx.db.kysely,
): Promise<Buffer> {
  const challenge = ctx.ids.bytes(CHALLENGE_BYTES)
  await upsertChallenge(db, attempt, challenge, plusMs(ctx.clock.now(), CHALLENGE_LIFE_MS))
  return challenge
}

import type { OtpId, PersonId, SessionId } from '@muripo/contract/ids'
import { plusMs } from '../../../platform/clock.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Queryable } from '../../../platform/db/database.ts'
import { uuidOf } from '../../../platform/ids.ts'

/** The browser waits for its user for the same time. */
export const CHALLENGE_LIFE_MS = 5 * 60 * 1000
const CHALLENGE_BYTES = 32

/** The purpose of a challenge: a sign-in, by its code, or a session that adds a passkey. */
export type Attempt = { readonly personId: PersonId } & (
  | { readonly purpose: 'signin'; readonly id: OtpId }
  | { readonly purpose: 'add'; readonly id: SessionId }
)

const keyOf = ({ personId, purpose, id }: Attempt) => ({
  person_id: uuidOf(personId),
  purpose,
  attempt: uuidOf(id),
})

/**
 * Creates the challenge that the authenticator signs, for this attempt only. It replaces the previous one: of two prompts only the latest
 * counts.
 */
export async function newChallenge(
  ctx: Ctx,
  attempt: Attempt,
  q: Queryable = ctx.db.kysely,
): Promise<Buffer> {
  const challenge = ctx.ids.bytes(CHALLENGE_BYTES)
  const fresh = { challenge, expires_at: plusMs(ctx.clock.now(), CHALLENGE_LIFE_MS) }
  await q
    .insertInto('passkey_challenges')
    .values({ ...keyOf(attempt), ...fresh })
    .onConflict((conflict) => conflict.columns(['person_id', 'purpose', 'attempt']).doUpdateSet(fresh))
    .execute()
  return challenge
}

/** Returns a challenge once and deletes it; null when there is none or it has expired. */
export async function consumeChallenge(q: Queryable, attempt: Attempt, now: Date): Promise<Buffer | null> {
  const { person_id, purpose, attempt: id } = keyOf(attempt)
  const row = await q
    .deleteFrom('passkey_challenges')
    .where('person_id', '=', person_id)
    .where('purpose', '=', purpose)
    .where('attempt', '=', id)
    .returning(['challenge', 'expires_at'])
    .executeTakeFirst()
  return row && now < row.expires_at ? row.challenge : null
}

export async function deleteExpiredChallenges(q: Queryable, now: Date): Promise<void> {
  await q.deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute()
}

import { hmac } from '../../../platform/crypto/keys.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { addressSubject } from '../../../platform/limits/admit.ts'
import { tooSoon } from '../../../platform/limits/refusal.ts'
import { claimTry, forgetFailures, type Patience, takeTryBack } from '../failure-store.ts'
import { accountPatience, addressPatience } from '../limits.ts'
import { nameOf, type Party } from '../party.ts'

interface Counted {
  readonly key: Buffer
  readonly patience: Patience
}

export interface PasswordTry {
  /** The password was not looked at. */
  takeBack(): Promise<void>
  /** The password was right. */
  succeed(): Promise<void>
}

/**
 * Asks leave to look at a password. It counts as failed until something else is said of it. The account is named by the email that was
 * typed, so that one that nobody has is slowed like one that somebody has; a known device is slowed by its own failures alone.
 */
export async function claimPasswordTry(
  ctx: Ctx,
  email: string,
  party: Party,
  address: string,
): Promise<PasswordTry> {
  const q = ctx.db.kysely
  const account = { key: accountKey(ctx, email, party), patience: accountPatience }
  const all = party === null ? [account, byAddress(ctx, address)] : [account]
  const claimed: Counted[] = []
  const takeBack = async (counted: readonly Counted[]) => {
    for (const { key } of counted) await takeTryBack(q, key, ctx.clock.now())
  }

  for (const counted of all) {
    const freeAt = await claimTry(q, counted.key, counted.patience, ctx.clock.now())
    if (freeAt !== null) {
      await takeBack(claimed)
      throw tooSoon(freeAt, ctx.clock.now(), 'you try again')
    }
    claimed.push(counted)
  }
  return {
    takeBack: () => takeBack(claimed),
    async succeed() {
      await forgetFailures(q, account.key)
      // Only this one is taken back: an account of one's own does not wash away the failures at others'.
      await takeBack(claimed.slice(1))
    },
  }
}

/** Whoever set a new password with a mailed code begins anew. */
export const forgetStrangersTries = (ctx: Ctx, email: string): Promise<void> =>
  forgetFailures(ctx.db.kysely, accountKey(ctx, email, null))

const accountKey = (ctx: Ctx, email: string, party: Party): Buffer =>
  hmac(ctx.keys.limitKey, `password of ${email} by ${nameOf(party)}`)

const byAddress = (ctx: Ctx, address: string): Counted => ({
  key: hmac(ctx.keys.limitKey, `password by ${addressSubject(address)}`),
  patience: addressPatience(ctx),
})

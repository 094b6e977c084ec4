import { hmac } from '../../../platform/crypto/keys.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { networksOf } from '../../../platform/http/network.ts'
import { tooSoon } from '../../../platform/limits/refusal.ts'
import { accountPatience, addressPatience } from '../limits.ts'
import { nameOf, type Party } from '../party.ts'
import { type Counted, claimTry, forgetFailures, settleTry } from './store-lockouts.ts'

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
  const others = party === null ? byAddress(ctx, address) : []
  const freeAt = await claimTry(q, [account, ...others], ctx.clock.now())
  if (freeAt !== null) throw tooSoon(freeAt, ctx.clock.now(), 'you try again')

  const keysOf = (counted: readonly Counted[]) => counted.map(({ key }) => key)
  return {
    takeBack: () => settleTry(q, { forgotten: [], takenBack: keysOf([account, ...others]) }, ctx.clock.now()),
    // By address only this one is taken back: an account of one's own does not wash away the failures at others'.
    succeed: () => settleTry(q, { forgotten: [account.key], takenBack: keysOf(others) }, ctx.clock.now()),
  }
}

/** Whoever set a new password with a mailed code begins anew. */
export const forgetStrangersTries = (ctx: Ctx, email: string): Promise<void> =>
  forgetFailures(ctx.db.kysely, accountKey(ctx, email, null))

const accountKey = (ctx: Ctx, email: string, party: Party): Buffer =>
  hmac(ctx.keys.limitKey, `password of ${email} by ${nameOf(party)}`)

const byAddress = (ctx: Ctx, address: string): Counted[] =>
  networksOf(address).map(({ name, share }) => ({
    key: hmac(ctx.keys.limitKey, `password by address ${name}`),
    patience: addressPatience(ctx, share),
  }))

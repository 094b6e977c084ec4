import type { Ctx } from '../../platform/ctx.ts'
import type { Paced } from '../../platform/http/route.ts'
import { perAddress } from '../../platform/limits/admit.ts'
import { createPace } from '../../platform/limits/pace.ts'
import { limitHeaders, refuseSpent } from '../../platform/limits/refusal.ts'
import type { KeyOwner } from './store-keys.ts'

/** A hundred calls a second, and all of ten seconds at once. */
const calls = { name: 'key', quota: 1000, windowMs: 10_000 }

/** What one key may call. A merchant whose program runs wild slows nobody else down. */
export function pacePerKey(ctx: Ctx): Paced<KeyOwner> {
  const pace = createPace(ctx.clock, perAddress(ctx, calls))
  return ({ keyId }, reply) => {
    const standing = [pace(keyId)]
    const now = ctx.clock.now()
    reply.headers(limitHeaders(standing, now))
    refuseSpent(standing, now)
  }
}

import type { Ctx } from '../../platform/ctx.ts'
import type { Paced } from '../../platform/http/route.ts'
import { perAddress } from '../../platform/limits/admit.ts'
import { createPace } from '../../platform/limits/pace.ts'
import { limitHeaders, refuseSpent } from '../../platform/limits/refusal.ts'
import type { KeyOwner } from './store-keys.ts'

/** A hundred calls a second, and all of ten seconds at once. */
const calls = { name: 'key', quota: 1000, windowMs: 10_000 }

/** All keys of a merchant together: more applications give a merchant no larger share. Live and test keys are counted apart. */
const callsOfMerchant = { name: 'merchant', quota: 3000, windowMs: 10_000 }

/** Limits of one key and of one merchant: a merchant whose program runs wild slows nobody else down. */
export function pacePerKey(ctx: Ctx): Paced<KeyOwner> {
  const pace = createPace(ctx.clock, perAddress(ctx, calls))
  const merchantPace = createPace(ctx.clock, perAddress(ctx, callsOfMerchant))
  return ({ keyId, merchantId }, reply) => {
    const ofKey = pace(keyId)
    // A call that its key may not make takes nothing from the other keys.
    const standings = [ofKey, merchantPace(merchantId, ofKey.refused ? 0 : 1)]
    const now = ctx.clock.now()
    reply.headers(limitHeaders(standings, now))
    refuseSpent(standings, now)
  }
}

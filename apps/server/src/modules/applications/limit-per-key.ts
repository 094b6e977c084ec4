import type { Ctx } from '../../platform/ctx.ts'
import type { CallerLimit } from '../../platform/http/route.ts'
import { perAddress } from '../../platform/limits/admit.ts'
import { createInMemoryLimit } from '../../platform/limits/in-memory-limit.ts'
import { limitHeaders, refuseSpent } from '../../platform/limits/refusal.ts'
import type { KeyOwner } from './store-keys.ts'

/** A hundred calls a second; a burst may use the calls of ten seconds at once. */
const calls = { name: 'key', quota: 1000, windowMs: 10_000 }

/** All keys of a merchant together: more applications give a merchant no larger share. Live and test keys are counted apart. */
const callsOfMerchant = { name: 'merchant', quota: 3000, windowMs: 10_000 }

/** Limits of one key and of one merchant, so that the calls of one merchant do not slow down another. */
export function limitPerKey(ctx: Ctx): CallerLimit<KeyOwner> {
  const countUse = createInMemoryLimit(ctx.clock, perAddress(ctx, calls))
  const countMerchantUse = createInMemoryLimit(ctx.clock, perAddress(ctx, callsOfMerchant))
  return ({ keyId, accountId }, reply) => {
    const ofKey = countUse(keyId)
    // A call that is refused for its key uses up no quota of the merchant.
    const standings = [ofKey, countMerchantUse(accountId, ofKey.refused ? 0 : 1)]
    const now = ctx.clock.now()
    reply.headers(limitHeaders(standings, now))
    refuseSpent(standings, now)
  }
}

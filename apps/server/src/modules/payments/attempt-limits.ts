import type { MerchantId } from '@muripo/contract/ids'
import type { Ctx } from '../../platform/ctx.ts'
import { AppError, invalidField } from '../../platform/errors.ts'
import { perAddress } from '../../platform/limits/admit.ts'
import { createPace } from '../../platform/limits/pace.ts'
import { countUnansweredPrompts } from './store-unanswered-prompts.ts'

const MINUTE_MS = 60_000

/** Prompts that one phone number has left unanswered, over all merchants. */
const unanswered = { name: 'prompts', quota: 3, windowMs: 10 * MINUTE_MS }
/** Attempts of one merchant that failed. A shop of that size has one success at least for each of them. */
const failures = { name: 'failed attempts', quota: 600, windowMs: 10 * MINUTE_MS }

/** Keeps payers' phones from being rung without end, and a provider from a merchant whose attempts only fail. */
export interface AttemptLimits {
  /**
   * Reserves a prompt to a number until the attempt is written down.
   * @returns what ends the reservation
   * @throws AppError validation_failed (field phone)
   */
  reservePrompt(msisdn: string): Promise<() => void>
  /** @throws AppError rate_limited while too many of this merchant's attempts have failed */
  refuseFailingMerchant(merchantId: MerchantId): void
  noteFailure(merchantId: MerchantId): void
}

export function createAttemptLimits(ctx: Ctx): AttemptLimits {
  const { quota, windowMs } = perAddress(ctx, unanswered)
  const countFailure = createPace(ctx.clock, perAddress(ctx, failures))
  /** Attempts that are being written down: the database does not show them to others yet. */
  const reserved = new Map<string, number>()
  const pausedUntil = new Map<MerchantId, Date>()

  function reserve(msisdn: string, by: 1 | -1): void {
    const count = (reserved.get(msisdn) ?? 0) + by
    if (count === 0) reserved.delete(msisdn)
    else reserved.set(msisdn, count)
  }

  return {
    async reservePrompt(msisdn) {
      reserve(msisdn, 1)
      try {
        const others = (reserved.get(msisdn) ?? 1) - 1
        const open = await countUnansweredPrompts(ctx.db.kysely, msisdn, windowMs, quota)
        if (open + others >= quota)
          throw invalidField('phone', 'Too many requests were sent to this number. Please wait ten minutes')
      } catch (error) {
        reserve(msisdn, -1)
        throw error
      }
      return () => reserve(msisdn, -1)
    },

    refuseFailingMerchant(merchantId) {
      const until = pausedUntil.get(merchantId)
      if (until === undefined) return
      if (until > ctx.clock.now())
        throw new AppError('rate_limited', {
          detail: 'This shop cannot take payments at the moment. Please try again later',
        })
      pausedUntil.delete(merchantId)
    },

    noteFailure(merchantId) {
      const { refused, resetsAt } = countFailure(merchantId)
      if (refused) pausedUntil.set(merchantId, resetsAt)
    },
  }
}

import type { AccountId } from '@muripo/contract/ids'
import { plusMs } from '../../../platform/clock.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { AppError, invalidField } from '../../../platform/errors.ts'
import { perAddress } from '../../../platform/limits/admit.ts'
import { countUnansweredPrompts } from './store-unanswered-prompts.ts'

const MINUTE_MS = 60_000

/** Prompts that one phone number has left unanswered, over all merchants. */
const unanswered = { name: 'prompts', quota: 3, windowMs: 10 * MINUTE_MS }
/** Phone numbers whose attempts at one merchant failed. */
const FAILED_NUMBERS = 600
const FAILED_WINDOW_MS = 10 * MINUTE_MS
/** A merchant with a success for every four failures is a shop with customers. */
const FAILURES_PER_SUCCESS = 4
const MOST_MERCHANTS = 10_000

/** The results of one merchant's attempts within a window. */
interface Results {
  readonly endsAt: Date
  readonly failedNumbers: Set<string>
  successes: number
}

/** Keeps payers' phones from being rung without end, and a provider from a merchant whose attempts only fail. */
export interface AttemptLimits {
  /**
   * Reserves a prompt to a number until the attempt is written down.
   * @returns what ends the reservation
   * @throws AppError validation_failed (field phone)
   */
  reservePrompt(msisdn: string): Promise<() => void>
  /** @throws AppError rate_limited while attempts of this merchant have failed for too many numbers */
  refuseFailingMerchant(accountId: AccountId): void
  /** Notes what an attempt has resulted in, after its commit. */
  noteResult(accountId: AccountId, msisdn: string, result: 'completed' | 'failed'): void
}

export function createAttemptLimits(ctx: Ctx): AttemptLimits {
  const { quota, windowMs } = perAddress(ctx, unanswered)
  const mostFailed = FAILED_NUMBERS * ctx.config.rateLimitFactor
  /** Attempts that are being written down: the database does not show them to others yet. */
  const reserved = new Map<string, number>()
  const results = new Map<AccountId, Results>()

  function reserve(msisdn: string, by: 1 | -1): void {
    const count = (reserved.get(msisdn) ?? 0) + by
    if (count === 0) reserved.delete(msisdn)
    else reserved.set(msisdn, count)
  }

  /** Of the current window, if there was any result in it. */
  function resultsOf(accountId: AccountId): Results | undefined {
    const known = results.get(accountId)
    if (known && known.endsAt > ctx.clock.now()) return known
    results.delete(accountId)
    return undefined
  }

  function startWindow(accountId: AccountId): Results {
    const [oldest] = results.size >= MOST_MERCHANTS ? results.keys() : []
    if (oldest) results.delete(oldest)
    const started = {
      endsAt: plusMs(ctx.clock.now(), FAILED_WINDOW_MS),
      failedNumbers: new Set<string>(),
      successes: 0,
    }
    results.set(accountId, started)
    return started
  }

  return {
    async reservePrompt(msisdn) {
      reserve(msisdn, 1)
      try {
        const others = (reserved.get(msisdn) ?? 1) - 1
        const open = await countUnansweredPrompts(ctx.db.kysely, { msisdn, windowMs, most: quota })
        if (open + others >= quota)
          throw invalidField('phone', 'Too many requests were sent to this number. Please wait ten minutes')
      } catch (error) {
        reserve(msisdn, -1)
        throw error
      }
      return () => reserve(msisdn, -1)
    },

    refuseFailingMerchant(accountId) {
      const known = resultsOf(accountId)
      if (!known || known.failedNumbers.size < mostFailed) return
      if (known.failedNumbers.size <= FAILURES_PER_SUCCESS * known.successes) return
      throw new AppError('rate_limited', {
        detail: 'This shop cannot take payments at the moment. Please try again later',
      })
    },

    noteResult(accountId, msisdn, result) {
      const window = resultsOf(accountId) ?? startWindow(accountId)
      if (result === 'completed') window.successes += 1
      else if (window.failedNumbers.size < mostFailed) window.failedNumbers.add(msisdn)
    },
  }
}

import type { AccountId, PaymentId } from '@muripo/contract/ids'
import { problemOf } from '@muripo/locales/form-problems'
import { plusMs } from '../../../platform/clock.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { AppError, refusedField } from '../../../platform/errors.ts'
import { addressSubject, perAddress } from '../../../platform/limits/admit.ts'
import { createInMemoryLimit } from '../../../platform/limits/limits.ts'
import type { Attempt } from '../payment.ts'
import { countUnansweredPrompts } from './store-unanswered-prompts.ts'

const MINUTE_MS = 60_000

/** Unanswered prompts of one phone number, over all merchants. */
const unanswered = { name: 'prompts', quota: 3, windowMs: 10 * MINUTE_MS }
/** Attempts without a phone: each creates a code or a page at a provider. All phones of a mobile network may share one address. */
const ofPayment = { name: 'attempts of a payment without a phone', quota: 10, windowMs: 10 * MINUTE_MS }
const ofAddress = { name: 'attempts of an address without a phone', quota: 600, windowMs: 10 * MINUTE_MS }

/** The number of payers whose attempts at one merchant failed. */
const FAILED_PAYERS = 600
const FAILED_WINDOW_MS = 10 * MINUTE_MS
/** A merchant is not limited while it has one success for so many failures. */
const FAILURES_PER_SUCCESS = 4
const MOST_MERCHANTS = 10_000

/** The results of one merchant's attempts in a window. */
interface Results {
  readonly endsAt: Date
  readonly failedPayers: Set<string>
  successes: number
}

/** Limits the prompts to one phone number, and the calls to a provider for a merchant whose attempts only fail. */
export interface AttemptLimits {
  /**
   * Reserves a prompt to a number until the attempt is recorded.
   * @returns a function that ends the reservation
   * @throws AppError validation_failed (field phone)
   */
  reservePrompt(msisdn: string): Promise<() => void>
  /**
   * Counts an attempt that prompts no phone.
   * @throws AppError rate_limited
   */
  countWithoutPhone(paymentId: PaymentId, address: string | undefined): void
  /** @throws AppError rate_limited while attempts of this merchant have failed for too many payers */
  refuseFailingMerchant(accountId: AccountId): void
  /** Counts the result of an attempt, after its commit. */
  noteResult(
    accountId: AccountId,
    attempt: Pick<Attempt, 'msisdn' | 'paymentId'>,
    result: 'completed' | 'failed',
  ): void
}

export function createAttemptLimits(ctx: Ctx): AttemptLimits {
  const { quota, windowMs } = perAddress(ctx, unanswered)
  const countOfPayment = createInMemoryLimit(ctx.clock, ofPayment)
  const countOfAddress = createInMemoryLimit(ctx.clock, perAddress(ctx, ofAddress))
  /** Attempts that are being inserted: the database does not show them to other transactions yet. */
  const reserved = new Map<string, number>()

  function reserve(msisdn: string, by: 1 | -1): void {
    const count = (reserved.get(msisdn) ?? 0) + by
    if (count === 0) reserved.delete(msisdn)
    else reserved.set(msisdn, count)
  }

  return {
    ...limitFailingMerchants(ctx),

    async reservePrompt(msisdn) {
      reserve(msisdn, 1)
      try {
        const others = (reserved.get(msisdn) ?? 1) - 1
        const open = await countUnansweredPrompts(ctx.db.kysely, { msisdn, windowMs, most: quota })
        if (open + others >= quota) throw refusedField('phone', problemOf('phoneBusy'))
      } catch (error) {
        reserve(msisdn, -1)
        throw error
      }
      return () => reserve(msisdn, -1)
    },

    countWithoutPhone(paymentId, address) {
      const refused =
        countOfPayment(paymentId).refused ||
        (address !== undefined && countOfAddress(addressSubject(address)).refused)
      if (refused) throw new AppError('rate_limited', { problem: problemOf('attemptsUsedLong') })
    },
  }
}

function limitFailingMerchants({
  clock,
  config,
}: Ctx): Pick<AttemptLimits, 'refuseFailingMerchant' | 'noteResult'> {
  const mostFailed = FAILED_PAYERS * config.rateLimitFactor
  const results = new Map<AccountId, Results>()

  /** The results of the current window; undefined when there are none. */
  function resultsOf(accountId: AccountId): Results | undefined {
    const known = results.get(accountId)
    if (known && known.endsAt > clock.now()) return known
    results.delete(accountId)
    return undefined
  }

  function startWindow(accountId: AccountId): Results {
    const [oldest] = results.size >= MOST_MERCHANTS ? results.keys() : []
    if (oldest) results.delete(oldest)
    const started = {
      endsAt: plusMs(clock.now(), FAILED_WINDOW_MS),
      failedPayers: new Set<string>(),
      successes: 0,
    }
    results.set(accountId, started)
    return started
  }

  return {
    refuseFailingMerchant(accountId) {
      const known = resultsOf(accountId)
      if (!known || known.failedPayers.size < mostFailed) return
      if (known.failedPayers.size <= FAILURES_PER_SUCCESS * known.successes) return
      throw new AppError('rate_limited', { problem: problemOf('shopPaused') })
    },

    noteResult(accountId, { msisdn, paymentId }, result) {
      const window = resultsOf(accountId) ?? startWindow(accountId)
      if (result === 'completed') window.successes += 1
      else if (window.failedPayers.size < mostFailed) window.failedPayers.add(msisdn ?? paymentId)
    },
  }
}

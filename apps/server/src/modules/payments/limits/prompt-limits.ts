import type { FormProblem } from '@muripo/contract/checkout'
import type { AccountId } from '@muripo/contract/ids'
import { problemOf } from '@muripo/locales/form-problems'
import type { Prompt } from './store-prompts.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

export const PROMPT_WINDOW_MS = 24 * HOUR_MS

/** Prompts of one number, whatever their outcome. One merchant has a part of them, so that its links do not close the number for others. */
const limits = [
  { windowMs: 10 * MINUTE_MS, all: 6, ofMerchant: 4, problem: problemOf('phoneBusy') },
  { windowMs: PROMPT_WINDOW_MS, all: 20, ofMerchant: 12, problem: problemOf('phoneBusyToday') },
] as const

/** The largest number of prompts that a decision needs. */
export const promptsNeeded = (factor: number): number => Math.ceil(20 * factor)

/** Cancels in a row that cause no pause. The next one pauses the number, and each further one doubles the pause. */
const FREE_CANCELS = 1
const CANCELS_WITHIN_MS = HOUR_MS
/** The merchant whose prompts are cancelled waits longer than others. */
const FIRST_PAUSE_MS = { all: 30 * SECOND_MS, ofMerchant: MINUTE_MS }

/**
 * The reason why a number is not rung again now; null when it may be.
 * @param prompts of the last `PROMPT_WINDOW_MS`, the latest first
 * @param factor of the limits
 */
export function promptRefusal(
  prompts: readonly Prompt[],
  accountId: AccountId,
  factor: number,
): FormProblem | null {
  const ofMerchant = prompts.filter((prompt) => prompt.accountId === accountId)
  for (const limit of limits) {
    const within = (some: readonly Prompt[]) => some.filter(({ ageMs }) => ageMs < limit.windowMs).length
    if (within(prompts) >= limit.all * factor || within(ofMerchant) >= limit.ofMerchant * factor)
      return limit.problem
  }
  const pauseMs = Math.max(
    pauseAfter(prompts, FIRST_PAUSE_MS.all, factor),
    pauseAfter(ofMerchant, FIRST_PAUSE_MS.ofMerchant, factor),
  )
  return pauseMs > 0 ? problemOf('phonePaused', { minutes: Math.ceil(pauseMs / MINUTE_MS) }) : null
}

/** The rest of the pause after the cancels in a row. */
function pauseAfter(prompts: readonly Prompt[], firstMs: number, factor: number): number {
  const end = prompts.findIndex(({ isCancelled, ageMs }) => !isCancelled || ageMs >= CANCELS_WITHIN_MS)
  const inRow = end === -1 ? prompts.length : end
  const counted = inRow - FREE_CANCELS * factor
  const [latest] = prompts
  if (latest === undefined || counted < 1) return 0
  return firstMs * 2 ** (Math.ceil(counted) - 1) - latest.ageMs
}

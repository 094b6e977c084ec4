import { plusMs } from '../../../platform/clock.ts'
import type { Ids } from '../../../platform/ids.ts'
import { FINALITY_MS } from '../../providers/index.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The ages at which an open charge is looked up until its last look-up, in milliseconds. */
const ages = [
  ...[3, 6, 10, 15, 20, 30, 45, 60, 90, 120, 150, 180, 210, 240, 270, 300].map((age) => age * SECOND),
  ...[10, 15, 20, 25, 30, 35, 40, 45, 50, 55].map((age) => age * MINUTE),
  ...Array.from({ length: 24 }, (_, index) => (index + 1) * HOUR),
]

/** A look-up at an age of the charge, and the interval before it. */
export interface ScheduledCheck {
  readonly age: number
  readonly gap: number
}

export const schedule: readonly ScheduledCheck[] = ages.map((age, index) => ({
  age,
  gap: age - (ages[index - 1] ?? 0),
}))

/** Each look-up comes earlier or later by up to this part of the interval before it, so that charges are not looked up in step. */
export const JITTER = 0.1

/**
 * The time during which an open charge is looked up on schedule. After it an operator decides, and jitter does not delay the last look-up.
 */
export const GIVE_UP_AFTER_MS = 24 * HOUR

/** A charge that its provider has not accepted for processing within this time fails, and the payer may choose another way to pay. */
export const SEND_WITHIN_MS = 5 * MINUTE

/**
 * The time of the next look-up of a charge that was sent at `since`; null when it is older than a day.
 * @param minPollMs the provider's minimum interval between two look-ups
 */
export function nextCheckAt(since: Date, now: Date, minPollMs: number, ids: Ids): Date | null {
  const age = now.getTime() - since.getTime()
  if (age >= GIVE_UP_AFTER_MS) return null
  // A look-up slightly before its age was the look-up of that age.
  const check = schedule.find((each) => each.age - each.gap * JITTER > age)
  const aim = check ? Math.round(check.age + check.gap * (ids.jitter(JITTER) - 1)) : GIVE_UP_AFTER_MS
  return plusMs(now, Math.max(minPollMs, Math.min(aim, GIVE_UP_AFTER_MS) - age))
}

/** Ages after its failure at which a failed call is looked up again; the last one is the time at which the provider's answer is final. */
const watchAges = [1, 6, 24, FINALITY_MS / HOUR].map((hours) => hours * HOUR)
const SHORTEST_WATCH_MS = MINUTE
const LONGEST_WATCH_MS = 6 * HOUR
/** The time after its last scheduled look-up during which a call is looked up whose provider did not answer. */
const OVERTIME_MS = 24 * HOUR

export interface Watch {
  readonly watchUntil: Date
  /** Null when the watch has ended. */
  readonly nextWatchAt: Date | null
}

/** The watch of a call that fails now, or about which its provider reports a change now. */
export function newWatch(now: Date, ids: Ids): Watch {
  const watchUntil = plusMs(now, FINALITY_MS)
  return { watchUntil, nextWatchAt: nextWatchAt(watchUntil, now, ids) }
}

/** The watch of a call that never reached its provider: no look-up is due, because the provider has no record of it. */
export const noWatch = (now: Date): Watch => ({ watchUntil: now, nextWatchAt: null })

/**
 * The next look-up, at one of the ages of the watch; null after the last one. It is never earlier than its age, so no look-up is repeated.
 */
function nextWatchAt(watchUntil: Date, now: Date, ids: Ids): Date | null {
  const since = watchUntil.getTime() - FINALITY_MS
  const age = watchAges.find((each) => each > now.getTime() - since)
  return age === undefined
    ? null
    : plusMs(new Date(since), Math.round(age * (1 + Math.abs(ids.jitter(JITTER) - 1))))
}

/**
 * The watch after a look-up. isUnresolved: the watch ended without a final answer, and an operator has to decide.
 * @param result of the look-up. no: the provider refused the call, or does not find it. pending: the provider has the call.
 * unknown: the provider did not answer
 */
export function watchAfter(
  { watchUntil }: Pick<Watch, 'watchUntil'>,
  result: 'no' | 'pending' | 'unknown',
  now: Date,
  ids: Ids,
): Watch & { readonly isUnresolved: boolean } {
  const scheduled = nextWatchAt(watchUntil, now, ids)
  const age = now.getTime() - watchUntil.getTime() + FINALITY_MS
  if (result === 'pending' && now < watchUntil) {
    const soon = plusMs(now, Math.min(Math.max(age / 10, SHORTEST_WATCH_MS), LONGEST_WATCH_MS))
    const next = scheduled !== null && scheduled < soon ? scheduled : soon
    return { watchUntil, nextWatchAt: next, isUnresolved: false }
  }
  if (result === 'unknown' && scheduled === null && now < plusMs(watchUntil, OVERTIME_MS))
    return { watchUntil, nextWatchAt: plusMs(now, HOUR), isUnresolved: false }
  return { watchUntil, nextWatchAt: scheduled, isUnresolved: scheduled === null && result !== 'no' }
}

import { plusMs } from '../../../platform/clock.ts'
import type { Ids } from '../../../platform/ids.ts'
import { FINALITY_MS } from '../../providers/index.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Ages at which an open charge is looked up first; then every 30 s to 5 min, every 5 min to 1 h, hourly to 24 h. */
const firstAges = [3, 6, 10, 15, 20, 30, 45, 60, 90, 120].map((seconds) => seconds * SECOND)

/** Each look comes earlier or later by up to this part of the pause before it, so that charges do not march in step. */
const JITTER = 0.1

/** How long an open charge is looked up by itself. After that a person has to, and the last look is not put off by its jitter. */
export const GIVE_UP_AFTER_MS = 24 * HOUR

/**
 * When to look up next a charge that was sent at `since`, or null when it is past its day.
 * @param minPollMs what the provider allows; never less lies between now and the next look
 */
export function nextCheckAt(since: Date, now: Date, minPollMs: number, ids: Ids): Date | null {
  const age = now.getTime() - since.getTime()
  if (age >= GIVE_UP_AFTER_MS) return null
  let look = lookAfter(age)
  // A look that came a little before its age was the look of that age.
  if (look.age - look.gap * JITTER <= age) look = lookAfter(look.age)
  const aim = Math.round(look.age + look.gap * (ids.jitter(JITTER) - 1))
  return plusMs(now, Math.max(minPollMs, Math.min(aim, GIVE_UP_AFTER_MS) - age))
}

/** A call that failed is looked up again so long after its failure; the last look comes when its provider's word is final. */
const watchAges = [1, 6, 24, FINALITY_MS / HOUR].map((hours) => hours * HOUR)
const SHORTEST_WATCH_MS = MINUTE
const LONGEST_WATCH_MS = 6 * HOUR
/** How long after its last look a call is looked up that its provider could not be asked about. */
const OVERTIME_MS = 24 * HOUR

export interface Watch {
  readonly watchUntil: Date
  /** Null when the watch is over. */
  readonly nextWatchAt: Date | null
}

/** The watch of a call that fails now, or of which its provider says something new now. */
export function newWatch(now: Date, ids: Ids): Watch {
  const watchUntil = plusMs(now, FINALITY_MS)
  return { watchUntil, nextWatchAt: nextWatchAt(watchUntil, now, ids) }
}

/** The watch of a call that never reached its provider: it has no look, because the provider has nothing to say. */
export const noWatch = (now: Date): Watch => ({ watchUntil: now, nextWatchAt: null })

/** When to look next, at the ages of the watch; null when the last one is past. Never earlier than its age, so no look is repeated. */
function nextWatchAt(watchUntil: Date, now: Date, ids: Ids): Date | null {
  const since = watchUntil.getTime() - FINALITY_MS
  const age = watchAges.find((each) => each > now.getTime() - since)
  return age === undefined
    ? null
    : plusMs(new Date(since), Math.round(age * (1 + Math.abs(ids.jitter(JITTER) - 1))))
}

/**
 * The watch after a look. over: the provider's word is final, or nobody could learn it in time and a person has to.
 * @param word what the look came to: no: it refused it, or does not know it. pending: it has it. unknown: it could not be asked
 */
export function watchAfter(
  { watchUntil }: Pick<Watch, 'watchUntil'>,
  word: 'no' | 'pending' | 'unknown',
  now: Date,
  ids: Ids,
): Watch & { readonly isUnresolved: boolean } {
  const scheduled = nextWatchAt(watchUntil, now, ids)
  const age = now.getTime() - watchUntil.getTime() + FINALITY_MS
  if (word === 'pending' && now < watchUntil) {
    const soon = plusMs(now, Math.min(Math.max(age / 10, SHORTEST_WATCH_MS), LONGEST_WATCH_MS))
    const next = scheduled !== null && scheduled < soon ? scheduled : soon
    return { watchUntil, nextWatchAt: next, isUnresolved: false }
  }
  if (word === 'unknown' && scheduled === null && now < plusMs(watchUntil, OVERTIME_MS))
    return { watchUntil, nextWatchAt: plusMs(now, HOUR), isUnresolved: false }
  return { watchUntil, nextWatchAt: scheduled, isUnresolved: scheduled === null && word !== 'no' }
}

/** The first age above `age`, and how long after the one before it it comes. */
function lookAfter(age: number): { age: number; gap: number } {
  const index = firstAges.findIndex((candidate) => candidate > age)
  const first = firstAges[index]
  if (first !== undefined) return { age: first, gap: first - (firstAges[index - 1] ?? 0) }
  const gap = age < 5 * MINUTE ? 30 * SECOND : age < HOUR ? 5 * MINUTE : HOUR
  return { age: (Math.floor(age / gap) + 1) * gap, gap }
}

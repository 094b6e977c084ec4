import { plusMs } from '../../platform/clock.ts'
import type { Ids } from '../../platform/ids.ts'

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

/** The first age above `age`, and how long after the one before it it comes. */
function lookAfter(age: number): { age: number; gap: number } {
  const index = firstAges.findIndex((candidate) => candidate > age)
  const first = firstAges[index]
  if (first !== undefined) return { age: first, gap: first - (firstAges[index - 1] ?? 0) }
  const gap = age < 5 * MINUTE ? 30 * SECOND : age < HOUR ? 5 * MINUTE : HOUR
  return { age: (Math.floor(age / gap) + 1) * gap, gap }
}

import { plusMs } from '../../platform/clock.ts'
import type { Ids } from '../../platform/ids.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Ages at which an open charge is looked up first; then every 30 s to 5 min, every 5 min to 1 h, hourly to 24 h. */
const firstAges = [3, 6, 10, 15, 20, 30, 45, 60, 90, 120].map((seconds) => seconds * SECOND)

/** How long an open charge is looked up by itself. After that a person has to. */
export const GIVE_UP_AFTER_MS = 24 * HOUR

/**
 * When to look up next a charge that was sent at `since`, or null when it is past its day.
 * @param minPollMs what the provider allows; never less lies between now and the next look
 */
export function nextCheckAt(since: Date, now: Date, minPollMs: number, ids: Ids): Date | null {
  const age = now.getTime() - since.getTime()
  if (age >= GIVE_UP_AFTER_MS) return null
  const waitMs = Math.max(minPollMs, Math.round(nextAge(age) * ids.jitter(0.1)) - age)
  return plusMs(now, waitMs)
}

function nextAge(age: number): number {
  const first = firstAges.find((candidate) => candidate > age)
  if (first !== undefined) return first
  const step = age < 5 * MINUTE ? 30 * SECOND : age < HOUR ? 5 * MINUTE : HOUR
  return (Math.floor(age / step) + 1) * step
}

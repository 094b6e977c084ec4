import { plusMs } from '../../../platform/clock.ts'
import type { Ids } from '../../../platform/ids.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The lease of a delivery, longer than any attempt. */
export const LEASE_MS = MINUTE

/** The pause after the first failed attempt, after the second, and so on. The delivery fails when none is left. */
export const pausesMs = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const

const SPREAD = 0.2
const RETRY_AFTER_MAX_MS = 24 * HOUR

/**
 * The time of the next attempt; null after the last one.
 * @param requestedMs the delay that the endpoint requested
 */
export function nextAttemptAt(failed: number, now: Date, ids: Ids, requestedMs = 0): Date | null {
  const pause = pausesMs[failed - 1]
  if (pause === undefined) return null
  return plusMs(
    now,
    Math.round(Math.max(pause * ids.jitter(SPREAD), Math.min(requestedMs, RETRY_AFTER_MAX_MS))),
  )
}

/** The delay of a Retry-After header in seconds; a date is ignored, because its clock may differ. */
export function retryAfterMs(header: string | undefined): number {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * SECOND : 0
}

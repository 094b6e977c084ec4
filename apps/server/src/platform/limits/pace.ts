import type { Clock } from '../clock.ts'
import { plusMs } from '../clock.ts'
import type { Limit, Standing } from './limits.ts'

/** Counts a use of somebody. */
export type Pace = (by: string) => Standing

const MOST_KEPT = 50_000

interface Window {
  used: number
  readonly resetsAt: Date
}

/**
 * A limit that is counted in this process alone, so that it costs no call a write: so many processes, so many times the limit. It keeps
 * a caller that runs wild from taking everything, and is not what guards a secret.
 */
export function createPace(clock: Clock, limit: Limit): Pace {
  const windows = new Map<string, Window>()

  function windowOf(by: string, now: Date): Window {
    const known = windows.get(by)
    if (known && known.resetsAt > now) return known
    if (windows.size >= MOST_KEPT) forget(now)
    const fresh = { used: 0, resetsAt: plusMs(now, limit.windowMs) }
    windows.set(by, fresh)
    return fresh
  }

  function forget(now: Date): void {
    for (const [by, { resetsAt }] of windows) if (resetsAt <= now) windows.delete(by)
    if (windows.size >= MOST_KEPT) windows.clear()
  }

  return (by) => {
    const window = windowOf(by, clock.now())
    const refused = window.used >= limit.quota
    if (!refused) window.used += 1
    return { limit, remaining: limit.quota - window.used, resetsAt: window.resetsAt, refused }
  }
}

import type { Clock } from '../clock.ts'
import { plusMs } from '../clock.ts'
import type { Limit, Standing } from './limits.ts'

/** Counts a use of a subject. With `uses` 0 it counts nothing and returns whether another use would be refused. */
export type InMemoryLimit = (by: string, uses?: 0 | 1) => Standing

const ENTRIES_MAX = 50_000

interface Window {
  used: number
  readonly resetsAt: Date
}

/**
 * A limit that is counted in this process only, so that a call needs no write: with more processes the limit is higher in proportion. It
 * protects the service from a caller in a loop, and protects no secret.
 */
export function createInMemoryLimit(clock: Clock, limit: Limit): InMemoryLimit {
  const windows = new Map<string, Window>()

  function windowOf(by: string, now: Date): Window {
    const known = windows.get(by)
    if (known && known.resetsAt > now) return known
    // All windows have the same length, so the order of insertion is the order in which they end.
    windows.delete(by)
    if (windows.size >= ENTRIES_MAX) evictOldest()
    const fresh = { used: 0, resetsAt: plusMs(now, limit.windowMs) }
    windows.set(by, fresh)
    return fresh
  }

  function evictOldest(): void {
    for (const [oldest] of windows) {
      windows.delete(oldest)
      return
    }
  }

  return (by, uses = 1) => {
    const window = windowOf(by, clock.now())
    const refused = window.used >= limit.quota
    if (!refused) window.used += uses
    return { limit, remaining: limit.quota - window.used, resetsAt: window.resetsAt, refused }
  }
}

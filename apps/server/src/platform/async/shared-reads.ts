import type { Clock } from '../clock.ts'

/** Caches the result of `read` for `forMs`, and no failure. Concurrent callers share one read. */
export function cachedFor<T>(clock: Clock, forMs: number, read: () => Promise<T>): () => Promise<T> {
  let last: { value: Promise<T>; at: number } | null = null
  return () => {
    const now = clock.now().getTime()
    if (last !== null && now - last.at < forMs) return last.value
    const current = { value: read(), at: now }
    current.value.catch(() => {
      if (last === current) last = null
    })
    last = current
    return current.value
  }
}

/** Resolves with the result of the work, or with `fallback` after the time limit. The work itself continues. */
export function within<T>(limitMs: number, work: Promise<T>, fallback: T): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, limitMs, fallback)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

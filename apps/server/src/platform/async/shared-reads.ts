import type { Clock } from '../clock.ts'

/** Caches the result of `read` for `forMs`. Concurrent callers share one read. */
export function cachedFor<T>(clock: Clock, forMs: number, read: () => Promise<T>): () => Promise<T> {
  let last: { value: Promise<T>; at: number } | null = null
  return () => {
    const now = clock.now().getTime()
    if (last === null || now - last.at >= forMs) last = { value: read(), at: now }
    return last.value
  }
}

/** Resolves with the result of the work, or with `fallback` after the time limit. The work itself continues. */
export function within<T>(limitMs: number, work: Promise<T>, fallback: T): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, limitMs, fallback)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

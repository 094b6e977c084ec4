import type { Clock } from '../../platform/clock.ts'

/** Asks once for everybody who wants to know within `forMs`. */
export function remembered<T>(clock: Clock, forMs: number, ask: () => Promise<T>): () => Promise<T> {
  let last: { answer: Promise<T>; at: number } | null = null
  return () => {
    const now = clock.now().getTime()
    if (last === null || now - last.at >= forMs) last = { answer: ask(), at: now }
    return last.answer
  }
}

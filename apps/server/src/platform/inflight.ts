import type { Log } from './log.ts'

/** Work that goes on after its caller was answered. A stop waits for it. */
export interface Inflight {
  /** Runs on its own; a failure is logged, for nobody else will hear of it. */
  start(name: string, work: Promise<unknown>): void
  drain(): Promise<void>
}

export function createInflight(log: Log): Inflight {
  const running = new Set<Promise<unknown>>()
  return {
    start(name, work) {
      const tracked = work
        .catch((error: unknown) => log.error({ err: error, work: name }, 'background work failed'))
        .finally(() => running.delete(tracked))
      running.add(tracked)
    },
    async drain() {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}

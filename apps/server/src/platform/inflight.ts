import type { Log } from './log.ts'

/** Work that goes on after its caller was answered. A stop waits for it. */
export interface Inflight {
  /** Runs on its own; a failure is logged, for nobody else will hear of it. */
  start(name: string, work: Promise<unknown>): void
  /** How much work of this name is under way. */
  count(name: string): number
  drain(): Promise<void>
}

export function createInflight(log: Log): Inflight {
  const running = new Map<Promise<unknown>, string>()
  return {
    start(name, work) {
      const tracked = work
        .catch((error: unknown) => log.error({ err: error, work: name }, 'background work failed'))
        .finally(() => running.delete(tracked))
      running.set(tracked, name)
    },
    count: (name) => [...running.values()].filter((each) => each === name).length,
    async drain() {
      while (running.size > 0) await Promise.allSettled(running.keys())
    },
  }
}

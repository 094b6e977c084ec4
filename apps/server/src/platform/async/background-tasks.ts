import type { Log } from '../log.ts'

/** Work that continues after the response to its caller. A stop waits for it. */
export interface BackgroundTasks {
  /** Runs a task; a failure is logged. */
  start(name: string, work: Promise<unknown>): void
  /** The number of tasks of this name in progress. */
  count(name: string): number
  drain(): Promise<void>
}

export function createBackgroundTasks(log: Log): BackgroundTasks {
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

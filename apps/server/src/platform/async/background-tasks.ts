import type { Log } from '../log.ts'

/** Work that continues after the response to its caller. A stop waits for it. */
export interface BackgroundTasks {
  /** Runs a task; a failure is logged. `subject`: the id of the row that the task is about. */
  start(name: string, work: Promise<unknown>, subject?: string): void
  isRunning(name: string, subject: string): boolean
  /** The number of tasks of this name in progress. */
  count(name: string): number
  drain(): Promise<void>
}

export function createBackgroundTasks(log: Log): BackgroundTasks {
  const running = new Map<Promise<unknown>, { readonly name: string; readonly subject: string | undefined }>()
  return {
    start(name, work, subject) {
      const tracked = work
        .catch((error: unknown) => log.error({ err: error, work: name }, 'background work failed'))
        .finally(() => running.delete(tracked))
      running.set(tracked, { name, subject })
    },
    count: (name) => [...running.values()].filter((each) => each.name === name).length,
    isRunning: (name, subject) =>
      [...running.values()].some((each) => each.name === name && each.subject === subject),
    async drain() {
      while (running.size > 0) await Promise.allSettled(running.keys())
    },
  }
}

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
  const running = new Set<Promise<unknown>>()
  const subjects = new Map<string, Map<string | undefined, number>>()

  function count(name: string, subject: string | undefined, change: 1 | -1): void {
    const ofName = subjects.get(name) ?? new Map<string | undefined, number>()
    const next = (ofName.get(subject) ?? 0) + change
    if (next === 0) ofName.delete(subject)
    else ofName.set(subject, next)
    subjects.set(name, ofName)
  }

  return {
    start(name, work, subject) {
      count(name, subject, 1)
      const tracked = work
        .catch((error: unknown) => log.error({ err: error, work: name }, 'background work failed'))
        .finally(() => {
          running.delete(tracked)
          count(name, subject, -1)
        })
      running.add(tracked)
    },
    count: (name) => (subjects.get(name)?.values() ?? [].values()).reduce((sum, each) => sum + each, 0),
    isRunning: (name, subject) => subjects.get(name)?.has(subject) ?? false,
    async drain() {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}

/** The same tasks, with a count of those alone that are started here. */
export function countedApart(all: BackgroundTasks): BackgroundTasks {
  const counts = new Map<string, number>()
  const add = (name: string, change: 1 | -1) => counts.set(name, (counts.get(name) ?? 0) + change)
  return {
    ...all,
    start(name, work, subject) {
      add(name, 1)
      const ended = () => add(name, -1)
      work.then(ended, ended)
      all.start(name, work, subject)
    },
    count: (name) => counts.get(name) ?? 0,
  }
}

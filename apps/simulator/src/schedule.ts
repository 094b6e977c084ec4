import type { Journal } from './journal.ts'

interface Scheduled {
  /** The change that happens without a request, and its time. */
  planned: { readonly at: number } | null
}

interface ScheduleOptions<T extends Scheduled> {
  readonly idOf: (record: T) => string
  /** Delays are divided by it. */
  readonly speed: number
  readonly now: () => number
  /** Makes the planned change. */
  readonly onDue: (record: T, planned: NonNullable<T['planned']>) => void
}

/** The planned changes of stored records, at most one for each. */
export function createSchedule<T extends Scheduled>(
  records: Pick<Journal<T>, 'all' | 'save' | 'close'>,
  { idOf, speed, now, onDue }: ScheduleOptions<T>,
) {
  const timers = new Map<string, NodeJS.Timeout>()

  function cancel(record: T): void {
    clearTimeout(timers.get(idOf(record)))
    timers.delete(idOf(record))
  }

  /** Makes a change that is due, and waits for a later one. */
  function start(record: T): void {
    const { planned } = record
    cancel(record)
    if (planned === null) return
    const waitMs = planned.at - now()
    if (waitMs <= 0) onDue(record, planned)
    else timers.set(idOf(record), setTimeout(start, waitMs, record))
  }

  return {
    start,
    timeAfter: (delayMs: number): number => now() + delayMs / speed,
    /** Stores the record as it now is. */
    save(record: T): void {
      for (const removed of records.save(record)) cancel(removed)
    },
    /** Makes the changes whose time passed while the simulator was down. */
    resume(): void {
      for (const record of records.all()) start(record)
    },
    stop(): void {
      for (const timer of timers.values()) clearTimeout(timer)
      records.close()
    },
  }
}

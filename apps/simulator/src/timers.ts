/** At most one timer for each record, by the record's id. */
export function createTimers() {
  const timers = new Map<string, NodeJS.Timeout>()

  function cancel(id: string): void {
    clearTimeout(timers.get(id))
    timers.delete(id)
  }

  return {
    cancel,
    /** Replaces the timer of the record. */
    set(id: string, waitMs: number, onDue: () => void): void {
      cancel(id)
      timers.set(id, setTimeout(onDue, waitMs))
    },
    stop(): void {
      for (const id of timers.keys()) cancel(id)
    },
  }
}

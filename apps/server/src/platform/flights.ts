/** Work that several callers may wait for while it runs once. */
export interface Flights {
  run(key: string, work: () => Promise<void>): Promise<void>
  /** Waits for the work under this key, if it runs in this process; its failure is its own caller's. */
  join(key: string): Promise<void>
}

export function createFlights(): Flights {
  const running = new Map<string, Promise<void>>()
  return {
    run(key, work) {
      const started = work().finally(() => running.delete(key))
      running.set(key, started)
      return started
    },
    join: (key) => (running.get(key) ?? Promise.resolve()).catch(() => undefined),
  }
}

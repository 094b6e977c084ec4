/** Work that runs once in this process and that several callers may wait for. */
export interface Flights {
  /** Announces work under a key, to be waited for until the returned function is called. */
  begin(key: string): () => void
  /** Waits for the work under this key, if this process has announced any. */
  join(key: string): Promise<void>
}

export function createFlights(): Flights {
  const running = new Map<string, Promise<void>>()
  return {
    begin(key) {
      const { promise, resolve } = Promise.withResolvers<void>()
      running.set(key, promise)
      return () => {
        running.delete(key)
        resolve()
      }
    },
    join: (key) => running.get(key) ?? Promise.resolve(),
  }
}

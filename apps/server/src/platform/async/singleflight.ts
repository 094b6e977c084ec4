/** Work under a key that runs once in this process and that several callers may await. */
export interface Singleflight {
  /** Runs work under a key that no other work has. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
  /** Awaits the end of the work under a key, if this process is running any. */
  join(key: string): Promise<void>
}

export function createSingleflight(): Singleflight {
  const running = new Map<string, Promise<void>>()
  return {
    async run(key, work) {
      const { promise, resolve } = Promise.withResolvers<void>()
      running.set(key, promise)
      try {
        return await work()
      } finally {
        running.delete(key)
        resolve()
      }
    },
    join: (key) => running.get(key) ?? Promise.resolve(),
  }
}

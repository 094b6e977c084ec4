/** Work under a key that runs once in this process and that several callers may await. */
export interface Singleflight {
  /** Announces work under a key. The work ends when the returned function is called. */
  begin(key: string): () => void
  /** Awaits the work under a key, if this process has announced any. */
  join(key: string): Promise<void>
}

export function createSingleflight(): Singleflight {
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

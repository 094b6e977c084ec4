/** The slowest permitted upload: a grace period, extended by the time that the received bytes take at the rate. */
export interface MinimumThroughput {
  readonly graceMs: number
  readonly bytesPerSecond: number
}

/** Yields the source while it is fast enough; then throws the error that `late` makes. */
export async function* enforceThroughput(
  source: AsyncIterable<Buffer>,
  { graceMs, bytesPerSecond }: MinimumThroughput,
  late: () => Error,
): AsyncGenerator<Buffer> {
  const iterator = source[Symbol.asyncIterator]()
  const { promise: deadline, reject } = Promise.withResolvers<never>()
  deadline.catch(() => undefined)
  const startedAt = performance.now()
  let bytes = 0
  const wait = () => {
    const dueAt = startedAt + graceMs + (bytes / bytesPerSecond) * 1000
    return setTimeout(() => reject(late()), dueAt - performance.now())
  }
  let timer = wait()
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), deadline])
      if (next.done) return
      bytes += next.value.length
      clearTimeout(timer)
      timer = wait()
      yield next.value
    }
  } finally {
    clearTimeout(timer)
    // Not awaited: a source that hangs would not end either.
    void iterator.return?.()
  }
}

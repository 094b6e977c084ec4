/** What the source gives, as long as all of it comes in time; afterwards it throws what `late` makes. */
export async function* within<T>(
  source: AsyncIterable<T>,
  longestMs: number,
  late: () => Error,
): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  const { promise: deadline, reject } = Promise.withResolvers<never>()
  deadline.catch(() => undefined)
  const timer = setTimeout(() => reject(late()), longestMs)
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), deadline])
      if (next.done) return
      yield next.value
    }
  } finally {
    clearTimeout(timer)
    // Not awaited: a source that hangs would not end either.
    void iterator.return?.()
  }
}

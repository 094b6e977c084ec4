/** The result of some work; `fallback` when the time is over first. The work continues. */
export function within<T>(limitMs: number, work: Promise<T>, fallback: T): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, limitMs, fallback)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Time as the session sees it. Tests hand in one that they move. */
export interface Clock {
  now(): number
  /** Both answer how to call it off. */
  after(ms: number, job: () => void): () => void
  every(ms: number, job: () => void): () => void
}

export const browserClock: Clock = {
  now: () => Date.now(),
  after(ms, job) {
    const timer = setTimeout(job, ms)
    return () => clearTimeout(timer)
  },
  every(ms, job) {
    const timer = setInterval(job, ms)
    return () => clearInterval(timer)
  },
}

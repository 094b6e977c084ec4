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

/** Between half and all of a time, so that browsers do not return to a restarted server in step. */
export const jittered = (ms: number, chance: () => number = Math.random): number => ms * (0.5 + chance() / 2)

/** Runs at once, then at most once in an interval; a call in between runs at its end. */
export function throttled(work: () => void, everyMs: number): () => void {
  let resting = false
  let again = false
  return function run() {
    if (resting) {
      again = true
      return
    }
    resting = true
    again = false
    work()
    setTimeout(() => {
      resting = false
      if (again) run()
    }, everyMs)
  }
}

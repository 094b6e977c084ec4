/** Time and timers, which tests replace. */
export interface Clock {
  now(): number
  /** Both return a function that cancels the timer. */
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

let serverOffsetMs = 0

/** The server's time, for comparisons with times from the server: the clock of a phone may be wrong by a day. */
export const serverNow = (): number => Date.now() + serverOffsetMs

/** Takes the offset from a response's `Date`, which has whole seconds and is older by the response's travel time: the smallest offset that fits. */
export function noteServerDate(date: string | null, sentAt: number): void {
  const answeredAt = Date.parse(date ?? '')
  if (Number.isNaN(answeredAt)) return
  serverOffsetMs = Math.min(Math.max(0, answeredAt - Date.now()), answeredAt + 1000 - sentAt)
}

/** Between half and all of a time, so that browsers do not return to a restarted server at the same time. */
export const jittered = (ms: number, chance: () => number = Math.random): number => ms * (0.5 + chance() / 2)

/** Runs at once, then at most once in an interval. A call during an interval runs at its end. */
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

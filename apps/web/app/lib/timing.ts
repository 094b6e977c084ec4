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

let serverOffsetMs = 0

/** The time of the server, for whatever is compared with its times: a phone's own clock may be a day off. */
export const serverNow = (): number => Date.now() + serverOffsetMs

/** Takes the offset from an answer's `Date`, which is in whole seconds and as old as its way: the smallest offset that fits. */
export function noteServerDate(date: string | null, sentAt: number): void {
  const answeredAt = Date.parse(date ?? '')
  if (Number.isNaN(answeredAt)) return
  serverOffsetMs = Math.min(Math.max(0, answeredAt - Date.now()), answeredAt + 1000 - sentAt)
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

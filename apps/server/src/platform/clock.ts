/** The only source of time. Tests pass a clock that they set. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

export const plusMs = (from: Date, ms: number): Date => new Date(from.getTime() + ms)

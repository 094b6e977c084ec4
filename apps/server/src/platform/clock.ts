/** The only source of time. Tests pass a clock that they set. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

export const plusMs = (from: Date, ms: number): Date => new Date(from.getTime() + ms)

/** The time at which a day, such as 2026-11-20, begins in a time zone, in milliseconds since 1970. */
export const startOfDay = (day: string, timeZone: string): number =>
  Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds

/** The day so many days after another; a negative number gives an earlier day. */
export const plusDays = (day: string, days: number): string =>
  Temporal.PlainDate.from(day).add({ days }).toString()

/** The day in a time zone at a time. */
export const dayAt = (time: Date, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(timeZone).toPlainDate().toString()

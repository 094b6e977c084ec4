/** When a day, such as 2026-11-20, begins by the clocks of a time zone, in milliseconds since 1970. */
export const startOfDay = (day: string, timeZone: string): number =>
  Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds

/** The day that comes so many days after another; before it, when they are fewer than none. */
export const plusDays = (day: string, days: number): string =>
  Temporal.PlainDate.from(day).add({ days }).toString()

/** The day that it is at a time by the clocks of a time zone. */
export const dayAt = (time: Date, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(timeZone).toPlainDate().toString()

export interface ZonedTimes {
  /** The form that spreadsheets read: 2026-11-20 11:30:00. */
  local(at: Date): string
  /** UTC+02:00. */
  offset(at: Date): string
}

/** Times of a zone of the IANA database. */
export function createZonedTimes(timeZone: string): ZonedTimes {
  const digits = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  } as const
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    ...digits,
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  })
  const partsOf = (at: Date) => new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
  return {
    local(at) {
      const part = partsOf(at)
      const of = (...types: Intl.DateTimeFormatPartTypes[]) => types.map((type) => part.get(type))
      return `${of('year', 'month', 'day').join('-')} ${of('hour', 'minute', 'second').join(':')}`
    },
    offset: (at) => (partsOf(at).get('timeZoneName') ?? 'GMT').replace('GMT', 'UTC'),
  }
}

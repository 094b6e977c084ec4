const inHarare = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'numeric',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'Africa/Harare',
})

/** The values of the text `moment`: a time in Zimbabwe. */
export function momentOf(iso: string) {
  const parts = new Map(inHarare.formatToParts(new Date(iso)).map(({ type, value }) => [type, value]))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
  return {
    day: part('day'),
    month: part('month'),
    year: part('year'),
    time: `${part('hour')}:${part('minute')}`,
  }
}

const MINUTE_SECONDS = 60

export const minutesIn = (seconds: number): number => Math.floor(seconds / MINUTE_SECONDS)

const GROUP = 3

/** A code in groups that can be read and typed one after the other. */
export const codeGroups = (code: string): string[] => {
  const size = code.length % GROUP === 1 && code.length > GROUP ? GROUP + 1 : GROUP
  return code.match(new RegExp(`.{1,${size}}`, 'gu')) ?? []
}

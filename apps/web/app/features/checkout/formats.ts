const MINUTE_SECONDS = 60

export const minutesIn = (seconds: number): number => Math.floor(seconds / MINUTE_SECONDS)

const GROUP = 3

/** A code in groups that can be read and typed one after the other. */
export const codeGroups = (code: string): string[] => {
  const size = code.length % GROUP === 1 && code.length > GROUP ? GROUP + 1 : GROUP
  return code.match(new RegExp(`.{1,${size}}`, 'gu')) ?? []
}

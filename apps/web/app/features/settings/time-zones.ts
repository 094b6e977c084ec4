export interface Choice {
  readonly value: string
  readonly label: string
}

/** Browsers list some places by a name of long ago. Both names mean the same to the server; people look for today's. */
const todaysNames: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Louisville': 'America/Kentucky/Louisville',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Europe/Kiev': 'Europe/Kyiv',
}

/** "GMT+2", as clocks stand there at that moment. */
function distance(timeZone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

export const choiceOf = (timeZone: string, at = new Date()): Choice => ({
  value: timeZone,
  label: `${timeZone.replaceAll('_', ' ')} (${distance(timeZone, at)})`,
})

/** Every time zone that the browser knows, and the one that is chosen already, however it came to be. */
export function choicesWith(chosen: string, at = new Date()): Choice[] {
  const known = Intl.supportedValuesOf('timeZone').map((name) => todaysNames[name] ?? name)
  return [...new Set([...known, 'UTC', chosen])].toSorted().map((timeZone) => choiceOf(timeZone, at))
}

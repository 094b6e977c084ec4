/** Days of an account by a name. A month has its number, and its year where that is another one than today's. */
export interface DayPreset {
  readonly name:
    | 'anyDate'
    | 'presetToday'
    | 'presetYesterday'
    | { readonly month: number; readonly year: string }
  readonly from: string
  readonly to: string
}

const MONTHS = 3

/** @param today such as 2026-11-26, in the account's time zone */
export function dayPresetsAt(today: string): readonly DayPreset[] {
  const [year = '', month = ''] = today.split('-')
  const dayAt = (months: number, day: number): string =>
    new Date(Date.UTC(Number(year), Number(month) - 1 - months, day)).toISOString().slice(0, 10)
  const yesterday = dayAt(0, Number(today.slice(8)) - 1)
  return [
    { name: 'anyDate', from: '', to: '' },
    { name: 'presetToday', from: today, to: today },
    { name: 'presetYesterday', from: yesterday, to: yesterday },
    ...Array.from({ length: MONTHS }, (_, months) => {
      const from = dayAt(months, 1)
      const ofYear = from.slice(0, 4)
      const name = { month: Number(from.slice(5, 7)), year: ofYear === year ? '' : ofYear }
      return { name, from, to: dayAt(months - 1, 0) }
    }),
  ]
}

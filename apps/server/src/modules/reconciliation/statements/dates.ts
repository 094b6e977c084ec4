import { Unreadable } from './amounts.ts'

export type DateOrder = 'YMD' | 'DMY' | 'MDY'

export interface Moment {
  /** As 2026-11-28: the printed day, in whichever zone it was printed. */
  readonly day: string
  /** As 14:05:00; null where only the day is printed. */
  readonly time: string | null
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/**
 * Reads a date as statements print it, with or without a time.
 * @param order of its parts; four digits at the beginning are always the year
 * @throws Unreadable for any other text and for a day that no calendar has: a date has no default
 */
export function readMoment(cell: string, order: DateOrder): Moment {
  const unreadable = new Unreadable(`"${cell.slice(0, 40)}" is not a date in the order ${order}`)
  const match =
    /^(\d{1,4})[-/. ](\d{1,2}|[A-Za-z]{3,9})[-/. ](\d{1,4})(?:[T ,]+(\d{1,2}:\d\d)(:\d\d)?(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?|(?:Z|[+-]\d\d:\d\d))?$/.exec(
      cell.trim().slice(0, 60),
    ) ??
    // Eight digits in one.
    /^(\d{4})(\d\d)(\d\d)$/.exec(cell.trim())
  if (!match) throw unreadable
  const [, one = '', two = '', three = '', minutes, seconds = ':00'] = match
  const actual = one.length === 4 ? 'YMD' : order
  const [year, month, date] =
    actual === 'YMD' ? [one, two, three] : actual === 'DMY' ? [three, two, one] : [three, one, two]
  const monthNumber = /^\d/.test(month) ? Number(month) : months.indexOf(month.slice(0, 3).toLowerCase()) + 1
  if ((year.length !== 4 && year.length !== 2) || date.length > 2) throw unreadable
  const fullYear = year.length === 2 ? 2000 + Number(year) : Number(year)
  const day = `${String(fullYear).padStart(4, '0')}-${String(monthNumber).padStart(2, '0')}-${date.padStart(2, '0')}`
  const time = minutes === undefined ? null : `${minutes.padStart(5, '0')}${seconds}`
  const parsed = new Date(`${day}T${time ?? '00:00:00'}Z`)
  if (Number.isNaN(parsed.getTime()) || parsed.toISOString().slice(0, 10) !== day) throw unreadable
  return { day, time }
}

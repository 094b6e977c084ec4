import { clockText, dateText, dayOf } from '../lib/format.ts'

/** A moment in the words that people use: "Today, 09:30 AM". */
export function whenText(iso: string, timeZone?: string, now = new Date()): string {
  const day = dayOf(iso, timeZone)
  const today = dayOf(now.toISOString(), timeZone)
  if (day === today) return `Today, ${clockText(iso, timeZone)}`
  if (day === dayBefore(today)) return `Yesterday, ${clockText(iso, timeZone)}`
  return dateText(iso, timeZone)
}

function dayBefore(day: string): string {
  const date = new Date(day)
  date.setUTCDate(date.getUTCDate() - 1)
  return date.toISOString().slice(0, 10)
}

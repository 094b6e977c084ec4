import { dateText } from '../../../lib/format.ts'

const dayOf = (date: Date): string => new Intl.DateTimeFormat('en-CA').format(date)
const time = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit' })
const exact = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'long' })

/** A moment in the words that people use: "Today, 09:30 AM". */
export function whenText(iso: string, now = new Date()): string {
  const date = new Date(iso)
  const yesterday = new Date(now)
  yesterday.setDate(now.getDate() - 1)
  if (dayOf(date) === dayOf(now)) return `Today, ${time.format(date)}`
  if (dayOf(date) === dayOf(yesterday)) return `Yesterday, ${time.format(date)}`
  return dateText(iso)
}

/** The same moment to the second, with its time zone. */
export const exactTime = (iso: string): string => exact.format(new Date(iso))

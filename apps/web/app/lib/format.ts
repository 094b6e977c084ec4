import { methodNames } from '@muripo/contract/enums'
import { serverNow } from './timing.ts'

const twoDecimals = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  useGrouping: false,
})
const grouped = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 })
const whole = new Intl.NumberFormat('en-US')

/** A dash in place of a number that is missing in a response. */
const written = (format: Intl.NumberFormat, value: number): string =>
  Number.isFinite(value) ? format.format(value) : '–'

/** The currency, then the amount: "USD25.00". */
export const amountText = (currency: string, amount: number): string =>
  currency + written(twoDecimals, amount)

export const plainAmount = (amount: number): string => grouped.format(amount)

/** A large figure on a card: "$1,234.50", or in another reporting currency "ZWG1,234.50". */
export const revenueText = (currency: string, amount: number): string =>
  (currency === 'USD' ? '$' : currency) + written(grouped, amount)

/** A figure beside an axis, where a currency code would be longer than the number: "$1.5K", "20M". */
export const shortRevenueText = (currency: string, amount: number): string =>
  (currency === 'USD' ? '$' : '') + short.format(amount)

export const countText = (value: number): string => written(whole, value)

const formatters = new Map<string, Intl.DateTimeFormat>()

/** One formatter for each kind of date: its creation takes longer than the rendering of a row. */
function formatterOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const kind = JSON.stringify(options)
  const formatter = formatters.get(kind) ?? new Intl.DateTimeFormat('en-US', options)
  formatters.set(kind, formatter)
  return formatter
}

/** Null for a text that is no date. */
function format(iso: string, options: Intl.DateTimeFormatOptions): string | null {
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? null : formatterOf(options).format(date)
}

const shortDate: Intl.DateTimeFormatOptions = {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
}

/** Formats in a time zone, or in the browser's own. */
const formatIn = (timeZone: string | undefined, iso: string, options: Intl.DateTimeFormatOptions): string =>
  format(iso, timeZone === undefined ? options : { ...options, timeZone }) ?? iso

export const dateText = (iso: string, timeZone?: string): string => formatIn(timeZone, iso, shortDate)

/** "09:30 AM" */
export const clockText = (iso: string, timeZone?: string): string =>
  formatIn(timeZone, iso, { hour: '2-digit', minute: '2-digit' })

/** "09:30:05 AM" */
export const exactClockText = (iso: string, timeZone?: string): string =>
  formatIn(timeZone, iso, { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** "November 20, 2026 at 9:30:05 AM GMT+2" */
export const exactText = (iso: string, timeZone?: string): string =>
  formatIn(timeZone, iso, { dateStyle: 'long', timeStyle: 'long' })

/** The calendar day of a time: "2026-11-20". */
export function dayOf(iso: string, timeZone?: string): string {
  const written = formatIn(timeZone, iso, { year: 'numeric', month: '2-digit', day: '2-digit' })
  const [month, day, year] = written.split('/')
  return `${year}-${month}-${day}`
}

/** A calendar day, which is the same in every time zone. */
export const dayText = (day: string): string =>
  format(day, { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' }) ?? day

/** "Nov 20", and with its weekday "Fri, Nov 20". */
export const shortDayText = (day: string, weekday?: 'weekday'): string =>
  format(day, {
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
    ...(weekday && { weekday: 'short' }),
  }) ?? day

export const longDateText = (iso: string, timeZone?: string): string =>
  formatIn(timeZone, iso, { ...shortDate, month: 'long' })

export const capitalise = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const methodLabels: Readonly<Record<string, string>> = {
  CARD: 'Card Payment',
  MOBILE_MONEY: 'Mobile Money',
  BANK_TRANSFER: 'Bank Transfer',
  CASH: 'Cash',
  ECOCASH: methodNames.ecocash,
  INNBUCKS: methodNames.innbucks,
  ONEMONEY: methodNames.onemoney,
  VISA: methodNames.visa,
  MASTERCARD: methodNames.visa,
}

export const methodLabel = (method: string | null): string =>
  method === null ? 'Not chosen yet' : (methodLabels[method.toUpperCase()] ?? capitalise(method))

/** Whether a time is of today or of yesterday; null for any other day. */
export function recentDay(
  iso: string,
  timeZone?: string,
  now = new Date(serverNow()),
): 'today' | 'yesterday' | null {
  const day = dayOf(iso, timeZone)
  const today = dayOf(now.toISOString(), timeZone)
  if (day === today) return 'today'
  return day === dayBefore(today) ? 'yesterday' : null
}

/** A time in everyday words: "Today, 09:30 AM". */
export function whenText(iso: string, timeZone?: string, now?: Date): string {
  const day = recentDay(iso, timeZone, now)
  if (day === null) return dateText(iso, timeZone)
  return `${day === 'today' ? 'Today' : 'Yesterday'}, ${clockText(iso, timeZone)}`
}

function dayBefore(day: string): string {
  const date = new Date(day)
  date.setUTCDate(date.getUTCDate() - 1)
  return date.toISOString().slice(0, 10)
}

import type { formats } from '@muripo/locales/formats'
import { type Compiled, translatorOf } from '@muripo/locales/translator'
import { createContext, useContext, useMemo } from 'react'
import {
  clockText,
  dateText,
  dayText,
  exactClockText,
  exactText,
  longDateText,
  methodLabel,
  recentDay,
  shortDayText,
  whenText,
} from './format.ts'
import { usePageLanguage } from './page-text.ts'

const english = {
  clockText,
  dateText,
  dayText,
  exactClockText,
  exactText,
  longDateText,
  methodLabel,
  shortDayText,
  whenText,
  statusText: (status: string): string => status,
} as const

/** Dates, times, methods and statuses as texts of the page's language. */
export type Formats = typeof english

/** The time zone of the page's times; undefined is the browser's own. */
export const TimeZoneContext = createContext<string | undefined>(undefined)

export const useTimeZone = (): string | undefined => useContext(TimeZoneContext)

/** Times are in the page's time zone, unless another one is given. */
export function useFormats(): Formats {
  const { translation } = usePageLanguage()
  const timeZone = useTimeZone()
  return useMemo(
    () => inTimeZone(timeZone, translation === null ? english : formatsIn(translation)),
    [translation, timeZone],
  )
}

type TimeText = typeof english.whenText

function inTimeZone(pageTimeZone: string | undefined, formats: Formats): Formats {
  const bound =
    (textOf: TimeText): TimeText =>
    (iso, timeZone = pageTimeZone, now) =>
      textOf(iso, timeZone, now)
  return {
    ...formats,
    clockText: bound(formats.clockText),
    dateText: bound(formats.dateText),
    exactClockText: bound(formats.exactClockText),
    exactText: bound(formats.exactText),
    longDateText: bound(formats.longDateText),
    whenText: bound(formats.whenText),
  }
}

const numbers: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
}
type Part = (type: Intl.DateTimeFormatPartTypes) => string

const formatters = new Map<string, Intl.DateTimeFormat>()

/** The parts of a time in numbers, which any browser knows; null for a text that is no date. */
function partsOf(iso: string, timeZone: string | undefined): Part | null {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return null
  const formatter =
    formatters.get(timeZone ?? '') ??
    new Intl.DateTimeFormat('en-GB', { ...numbers, ...(timeZone !== undefined && { timeZone }) })
  formatters.set(timeZone ?? '', formatter)
  const parts = new Map(formatter.formatToParts(date).map(({ type, value }) => [type, value]))
  return (type) => parts.get(type) ?? ''
}

/** Day and month without a leading zero. */
const dayAndMonth = (part: Part) => ({ day: Number(part('day')), month: Number(part('month')) })

const methods: Readonly<Record<string, keyof typeof formats>> = {
  CARD: 'methodCard',
  MOBILE_MONEY: 'methodMobileMoney',
  BANK_TRANSFER: 'methodBankTransfer',
  CASH: 'methodCash',
}

const statuses: Readonly<Record<string, keyof typeof formats>> = {
  completed: 'statusCompleted',
  authorized: 'statusAuthorized',
  pending: 'statusPending',
  failed: 'statusFailed',
  refunded: 'statusRefunded',
}

export function formatsIn(translation: Compiled): Formats {
  const t = translatorOf<typeof formats>(translation)
  const word = t as (key: keyof typeof formats) => string
  const clock = (iso: string, timeZone?: string): string => {
    const part = partsOf(iso, timeZone)
    return part === null ? iso : `${part('hour')}:${part('minute')}`
  }
  const exactClock = (iso: string, timeZone?: string): string => {
    const part = partsOf(iso, timeZone)
    return part === null ? iso : `${part('hour')}:${part('minute')}:${part('second')}`
  }
  const date = (part: Part): string => t('dayMonthYear', { ...dayAndMonth(part), year: part('year') })
  const dateAndTime = (iso: string, timeZone?: string): string => {
    const part = partsOf(iso, timeZone)
    return part === null ? iso : t('dateAndTime', { date: date(part), time: clock(iso, timeZone) })
  }
  return {
    clockText: clock,
    exactClockText: exactClock,
    dateText: dateAndTime,
    longDateText: dateAndTime,
    exactText(iso, timeZone) {
      const part = partsOf(iso, timeZone)
      if (part === null) return iso
      const time = `${exactClock(iso, timeZone)} ${part('timeZoneName')}`
      return t('dateAndTime', { date: date(part), time })
    },
    dayText(day) {
      const part = partsOf(day, 'UTC')
      return part === null ? day : date(part)
    },
    shortDayText(day, withWeekday) {
      const part = partsOf(day, 'UTC')
      if (part === null) return day
      const shortDate = t('shortDate', dayAndMonth(part))
      if (withWeekday === undefined) return shortDate
      return t('shortDateOfWeek', { weekday: part('weekday'), date: shortDate })
    },
    whenText(iso, timeZone, now) {
      const day = recentDay(iso, timeZone, now)
      if (day === null) return dateAndTime(iso, timeZone)
      return t(day === 'today' ? 'todayAt' : 'yesterdayAt', { time: clock(iso, timeZone) })
    },
    methodLabel(method) {
      if (method === null) return t('noMethodYet')
      const key = methods[method.toUpperCase()]
      return key === undefined ? methodLabel(method) : word(key)
    },
    statusText(status) {
      const key = statuses[status.toLowerCase()]
      return key === undefined ? status : word(key)
    },
  }
}

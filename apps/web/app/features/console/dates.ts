import { useMemo } from 'react'
import { serverNow } from '../../lib/timing.ts'
import { type ConsoleText, useConsoleText } from './text.ts'

const numbers = new Intl.DateTimeFormat('en-GB', {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** The parts of a time in numbers: browsers on cheap phones have no names of months in our languages. */
function partsOf(iso: string | number) {
  const parts = new Map(numbers.formatToParts(new Date(iso)).map(({ type, value }) => [type, value]))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
  return {
    date: { day: Number(part('day')), month: Number(part('month')), year: part('year') },
    weekday: part('weekday'),
    clock: `${part('hour')}:${part('minute')}`,
    seconds: part('second'),
  }
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The dates of the console, of 24 hours with the day first: "26 Nov, 14:20". A date of another year names it. */
const datesIn = (t: ConsoleText) => {
  const day = (iso: string | number) => {
    const { date } = partsOf(iso)
    const isOfThisYear = date.year === partsOf(serverNow()).date.year
    const text = t('consoleDay', date)
    return isOfThisYear ? text : t('consoleDayOfYear', { day: text, year: date.year })
  }
  return {
    when: (iso: string) => t('consoleWhen', { date: day(iso), time: partsOf(iso).clock }),
    /** "26 Nov, 14:20:05", for evidence. */
    exactly(iso: string) {
      const { clock, seconds } = partsOf(iso)
      return t('consoleWhen', { date: day(iso), time: `${clock}:${seconds}` })
    },
    /** "Thursday 26 November 2026, 14:20" */
    inFull: (ms: number) => {
      const { date, weekday, clock } = partsOf(ms)
      const fullDay = t('consoleFullDay', { weekday, date: t('consoleLongDay', date) })
      return t('consoleWhen', { date: fullDay, time: clock })
    },
    clock: (ms: number) => partsOf(ms).clock,
    /** "2 d", "5 h" or "40 min" */
    age(iso: string) {
      const ms = Math.max(0, serverNow() - Date.parse(iso))
      if (ms >= DAY) return t('consoleDays', { count: Math.floor(ms / DAY) })
      if (ms >= HOUR) return t('consoleHours', { count: Math.floor(ms / HOUR) })
      return t('consoleMinutes', { count: Math.floor(ms / MINUTE) })
    },
  }
}

export function useConsoleDates() {
  const t = useConsoleText()
  return useMemo(() => datesIn(t), [t])
}

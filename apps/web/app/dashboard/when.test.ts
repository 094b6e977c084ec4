import { expect, test } from 'vitest'
import { exactText } from '../lib/format.ts'
import { whenText } from './when.ts'

/** In the time zone of whoever runs this. */
const local = (day: number, hours: number, minutes = 0) => new Date(2026, 10, day, hours, minutes)

test.each([
  ['this morning', local(20, 9, 5), 'Today, 09:05 AM'],
  ['the first minute of the day', local(20, 0), 'Today, 12:00 AM'],
  ['the last minute of the day before', local(19, 23, 59), 'Yesterday, 11:59 PM'],
  ['the first minute of the day before', local(19, 0), 'Yesterday, 12:00 AM'],
  ['a minute earlier', local(18, 23, 59), 'Nov 18, 2026, 11:59 PM'],
  ['the same day a year ago', new Date(2025, 10, 20, 9, 5), 'Nov 20, 2025, 09:05 AM'],
])('%s', (_what, date, words) => {
  expect(whenText(date.toISOString(), undefined, local(20, 18))).toBe(words)
})

test('the day before the first of a month is yesterday', () => {
  expect(whenText(new Date(2026, 9, 31, 8).toISOString(), undefined, local(1, 0, 1))).toBe(
    'Yesterday, 08:00 AM',
  )
})

test('the exact time has its seconds and its zone', () => {
  expect(exactText(local(20, 9, 5).toISOString())).toMatch(/^November 20, 2026 at 9:05:00\sAM \S+/)
})

test.each([
  ['Africa/Harare', 'Today, 01:30 AM', 'November 21, 2026 at 1:30:00\u202fAM GMT+2'],
  ['Europe/London', 'Yesterday, 11:30 PM', 'November 20, 2026 at 11:30:00\u202fPM GMT'],
  ['America/New_York', 'Yesterday, 06:30 PM', 'November 20, 2026 at 6:30:00\u202fPM EST'],
])('half past eleven in London is said by the clock of %s', (timeZone, words, exact) => {
  const moment = '2026-11-20T23:30:00.000Z'
  expect(whenText(moment, timeZone, new Date('2026-11-21T06:00:00.000Z'))).toBe(words)
  expect(exactText(moment, timeZone).replace(/\s(?=[AP]M)/, '\u202f')).toBe(exact)
})

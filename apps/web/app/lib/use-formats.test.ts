import sn from 'virtual:texts/formats/sn'
import { expect, test } from 'vitest'
import { formatsIn } from './use-formats.ts'

const formats = formatsIn(sn)

test.each([
  ['2026-01-05', '5 Ndira 2026', '5 Ndi', 'Muvhuro 5 Ndi'],
  ['2026-09-30', '30 Gunyana 2026', '30 Gun', 'Chitatu 30 Gun'],
  ['2026-12-31', '31 Zvita 2026', '31 Zvi', 'China 31 Zvi'],
])('the day %s is %s', (day, long, short, withWeekday) => {
  expect(formats.dayText(day)).toBe(long)
  expect(formats.shortDayText(day)).toBe(short)
  expect(formats.shortDayText(day, 'weekday')).toBe(withWeekday)
})

test('a time is in the time zone, with its seconds where it must be exact', () => {
  const at = '2026-02-28T22:30:05.000Z'
  expect(formats.dateText(at, 'Africa/Harare')).toBe('1 Kurume 2026, 00:30')
  expect(formats.exactText(at, 'UTC')).toBe('28 Kukadzi 2026, 22:30:05 UTC')
  expect(formats.clockText(at, 'UTC')).toBe('22:30')
})

test('a time of today or yesterday is in everyday words', () => {
  const now = new Date('2026-11-20T12:00:00.000Z')
  expect(formats.whenText('2026-11-20T07:30:00.000Z', 'UTC', now)).toBe('Nhasi, 07:30')
  expect(formats.whenText('2026-11-19T07:30:00.000Z', 'UTC', now)).toBe('Nezuro, 07:30')
  expect(formats.whenText('2026-11-18T07:30:00.000Z', 'UTC', now)).toBe('18 Mbudzi 2026, 07:30')
})

test.each(['CARD', 'MOBILE_MONEY', 'BANK_TRANSFER', 'CASH', null])(
  'the method %s is translated',
  (method) => {
    expect(Object.values(sn)).toContainEqual([formats.methodLabel(method)])
  },
)

test('the name of a company and a text that is no date are unchanged', () => {
  expect(formats.methodLabel('ecocash')).toBe('EcoCash')
  expect(formats.dateText('soon')).toBe('soon')
  expect(formats.statusText('odd')).toBe('odd')
})

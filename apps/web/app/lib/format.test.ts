import { describe, expect, test } from 'vitest'
import {
  amountText,
  countText,
  dateText,
  exactText,
  longDateText,
  methodLabel,
  revenueText,
  shortDayText,
  shortRevenueText,
  whenText,
} from './format.ts'

describe('amounts', () => {
  test('[CONST-07] always have 2 decimals', () => {
    expect(amountText('USD', 25)).toBe('USD25.00')
    expect(amountText('USD', 0.5)).toBe('USD0.50')
    expect(amountText('USD', 1250.5)).toBe('USD1250.50')
  })
  test('[CONST-09] [CONST-10] begin with the currency unchanged', () => {
    expect(amountText('ZWG', 9.99)).toBe('ZWG9.99')
    expect(amountText('$', 9.99)).toBe('$9.99')
  })
  test('[CONST-08] on a card start with $', () => {
    expect(revenueText('USD', 18420.75)).toBe('$18,420.75')
    expect(revenueText('USD', 0)).toBe('$0.00')
  })
  test('on a card begin with the reporting currency where it is not the dollar', () => {
    expect(revenueText('ZWG', 1520)).toBe('ZWG1,520.00')
  })
  test('beside an axis are short', () => {
    expect(shortRevenueText('USD', 2.5)).toBe('$2.5')
    expect(shortRevenueText('USD', 1500)).toBe('$1.5K')
    expect(shortRevenueText('ZWG', 1_250_000)).toBe('1.25M')
  })
  test('of a count are grouped', () => expect(countText(1306)).toBe('1,306'))
})

describe('dates', () => {
  test('[CONST-11] are en-US with short month, day, year, hour and minute', () => {
    expect(dateText('2026-11-20T09:30:00.000Z', 'Africa/Harare')).toBe('Nov 20, 2026, 11:30 AM')
  })
  test('[MANAGE-09] long form on the management page', () => {
    expect(longDateText('2026-11-20T09:30:00.000Z', 'Africa/Harare')).toBe('November 20, 2026 at 11:30 AM')
  })
  test('a day is the same in every time zone', () => {
    expect(shortDayText('2026-11-20')).toBe('Nov 20')
    expect(shortDayText('2026-11-20', 'weekday')).toBe('Fri, Nov 20')
  })
  test('a text that is no date is shown unchanged', () => {
    expect(dateText('yesterday')).toBe('yesterday')
    expect(longDateText('')).toBe('')
  })
})

describe('methods', () => {
  test('[CONST-14] have labels, in any case', () => {
    const labels = [
      'CARD',
      'MOBILE_MONEY',
      'BANK_TRANSFER',
      'CASH',
      'ecocash',
      'InnBucks',
      'onemoney',
      'visa',
      'MASTERCARD',
    ]
    expect(labels.map(methodLabel)).toEqual([
      'Card Payment',
      'Mobile Money',
      'Bank Transfer',
      'Cash',
      'EcoCash',
      'InnBucks',
      'OneMoney',
      'Visa/Mastercard',
      'Visa/Mastercard',
    ])
  })
  test('[CONST-15] without a label are capitalised', () => expect(methodLabel('zipit')).toBe('Zipit'))
  test('before the choice have a text', () => expect(methodLabel(null)).toBe('Not chosen yet'))
})

/** A time in the time zone of this machine. */
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
])('half past eleven in London is shown by the clock of %s', (timeZone, words, exact) => {
  const moment = '2026-11-20T23:30:00.000Z'
  expect(whenText(moment, timeZone, new Date('2026-11-21T06:00:00.000Z'))).toBe(words)
  expect(exactText(moment, timeZone).replace(/\s(?=[AP]M)/, '\u202f')).toBe(exact)
})

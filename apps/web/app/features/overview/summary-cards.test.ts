import english from 'virtual:texts/overview/en'
import type { overview } from '@muripo/locales/overview'
import { translatorOf } from '@muripo/locales/translator'
import { describe, expect, test } from 'vitest'
import {
  applicationsByWeek,
  completedByWeek,
  todayWithYesterday,
  weekWithWeekBefore,
} from './summary-cards.tsx'

const t = translatorOf<typeof overview>(english)

const compared = (now: number, before: number, currency: 'USD' | 'ZWG' = 'USD') => {
  const stats = {
    reportingCurrency: currency,
    totalRevenueToday: now,
    revenueLast7Days: now,
    totalCompleted: 996,
    totalApplications: 3,
    comparison: {
      revenueYesterdayByNow: before,
      revenuePrevious7Days: before,
      completedLast7Days: now,
      completedPrevious7Days: before,
      applicationsLast7Days: now,
      applicationsPrevious7Days: before,
    },
    revenueByDay: [],
    topPaymentMethods: [],
    recentPayments: [],
    byCurrency: {},
  }
  return {
    today: todayWithYesterday(stats, t),
    week: weekWithWeekBefore(stats, t),
    completed: completedByWeek(stats, t),
    applications: applicationsByWeek(stats, t),
  }
}

describe('the revenue of', () => {
  test('today is compared with yesterday until the same time', () => {
    expect(compared(1262, 1250).today).toEqual({
      direction: 'up',
      text: '$12.00 more than yesterday by this hour',
    })
    expect(compared(8, 1250.5).today).toEqual({
      direction: 'down',
      text: '$1,242.50 less than yesterday by this hour',
    })
    expect(compared(25, 25).today).toEqual({ direction: 'level', text: 'Same as yesterday by this hour' })
    expect(compared(25, 0).today).toEqual({ direction: 'up', text: 'No revenue yesterday by this hour' })
    expect(compared(0, 0).today).toEqual({ direction: null, text: 'No revenue yesterday by this hour' })
  })
  test('seven days is compared with the seven days before', () => {
    expect(compared(30, 20).week).toEqual({ direction: 'up', text: '$10.00 more than the week before' })
    expect(compared(20, 30).week).toEqual({ direction: 'down', text: '$10.00 less than the week before' })
    expect(compared(20, 20).week).toEqual({ direction: 'level', text: 'Same as the week before' })
    expect(compared(20, 0).week).toEqual({ direction: 'up', text: 'No revenue the week before' })
  })
  test('is compared to the cent, in the currency of the report', () => {
    expect(compared(0.3, 0.1).today.text).toBe('$0.20 more than yesterday by this hour')
    expect(compared(1520, 20, 'ZWG').week.text).toBe('ZWG1,500.00 more than the week before')
  })
})

describe('the count of', () => {
  test('completed payments has the figures of both weeks', () => {
    expect(compared(1081, 84).completed).toEqual({
      direction: 'up',
      text: '1,081 in 7 days, 84 the week before',
    })
    expect(compared(0, 84).completed).toEqual({
      direction: 'down',
      text: 'None in 7 days, 84 the week before',
    })
    expect(compared(3, 0).completed.text).toBe('3 in 7 days, none the week before')
    expect(compared(0, 0).completed).toEqual({ direction: null, text: 'None in two weeks' })
  })
  test('applications has the number of new ones', () => {
    expect(compared(1, 0).applications).toEqual({
      direction: 'up',
      text: '1 new in 7 days, none the week before',
    })
    expect(compared(2, 2).applications).toEqual({
      direction: 'level',
      text: '2 new in 7 days, 2 the week before',
    })
    expect(compared(0, 4).applications.text).toBe('None new in 7 days, 4 the week before')
    expect(compared(0, 0).applications).toEqual({ direction: null, text: 'None new in two weeks' })
  })
})

import english from 'virtual:texts/payments/en'
import { type DashboardPayment, TimelineEntry } from '@muripo/contract/dashboard-payments'
import type { payments } from '@muripo/locales/payments'
import { translatorOf } from '@muripo/locales/translator'
import { describe, expect, test } from 'vitest'
import { confirmText, largestRefund, latestPayment, refundable, underWayText } from './refund.ts'

const t = translatorOf<typeof payments>(english)

const at = '2026-11-20T09:30:00.000Z'
const entry = (kind: string, amount: number) =>
  TimelineEntry.parse({ at, kind, amount, reason: 'declined', explanation: null, reference: null })

describe('the refundable amount', () => {
  test('is the whole payment at first, and then the remaining amount', () => {
    expect(refundable({ amount: 25, amountRefunded: 0 })).toEqual({ left: 25, underWay: [] })
    expect(refundable({ amount: 25, amountRefunded: 24.9 }).left).toBe(0.1)
    expect(refundable({ amount: 0.3, amountRefunded: 0.1 }).left).toBe(0.2)
    expect(refundable({ amount: 25, amountCaptured: 20, amountRefunded: 5 }).left).toBe(15)
    expect(refundable({ amount: 25, amountRefunded: 5, amountReversed: 12.5 }).left).toBe(7.5)
  })

  test('is reduced by refunds in progress, at the provider or with an operator, and by nothing else', () => {
    const timeline = [
      entry('refund_requested', 5),
      entry('refund_checking', 5),
      entry('refund_with_operator', 2.5),
      entry('refund_failed', 9),
      entry('refunded', 10),
    ]
    expect(refundable({ amount: 25, amountRefunded: 10 }, timeline)).toEqual({
      left: 7.5,
      underWay: [5, 2.5],
    })
  })

  test('is the amount in progress once nothing else remains: it may be requested again', () => {
    const all = refundable({ amount: 25, amountRefunded: 10 }, [entry('refund_checking', 15)])
    expect(all).toEqual({ left: 0, underWay: [15] })
    expect(largestRefund(all)).toBe(15)
  })
})

test('an amount in progress has a sentence, for one or several', () => {
  expect(underWayText([5], 'USD', t)).toMatch(/^USD5\.00 is being refunded already\./)
  expect(underWayText([5, 2.5], 'USD', t)).toMatch(/^USD5\.00 and USD2\.50 are being refunded already\./)
})

test('[DETAIL-09] the button names a partial amount, and reads Yes for the whole', () => {
  const payment = { amount: 25, currency: 'USD' } as const
  expect(confirmText(25, payment, t)).toBe('Yes, Refund Payment')
  expect(confirmText(15, payment, t)).toBe('Refund USD15.00')
  expect(confirmText(15, { amount: 25, currency: 'ZWG' }, t)).toBe('Refund ZWG15.00')
  expect(confirmText(15, { ...payment, amountCaptured: 15 }, t)).toBe('Yes, Refund Payment')
  expect(confirmText(null, payment, t)).toBe('Refund')
})

const state = (updatedAt: string, status: string) => ({ updatedAt, status }) as DashboardPayment
const older = state('2026-11-20T09:30:00.000Z', 'COMPLETED')
const newer = state('2026-11-20T09:30:00.001Z', 'REFUNDED')

test('[DETAIL-12] the later state of list and details is shown', () => {
  expect(latestPayment(older, newer)).toBe(newer)
  expect(latestPayment(newer, older)).toBe(newer)
})

test('a payment of only the list or only the details is shown', () => {
  expect(latestPayment(older, undefined)).toBe(older)
  expect(latestPayment(undefined, older)).toBe(older)
  expect(latestPayment(undefined, null)).toBeUndefined()
})

import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { expect, test } from 'vitest'
import { latestPayment } from './use-refund.ts'

const state = (updatedAt: string, status: string) => ({ updatedAt, status }) as DashboardPayment
const older = state('2026-11-20T09:30:00.000Z', 'COMPLETED')
const newer = state('2026-11-20T09:30:00.001Z', 'REFUNDED')

test('[DETAIL-12] of list and details, the later state is shown', () => {
  expect(latestPayment(older, newer)).toBe(newer)
  expect(latestPayment(newer, older)).toBe(newer)
})

test('a value of one alone is shown, and a value of none is not', () => {
  expect(latestPayment(older, undefined)).toBe(older)
  expect(latestPayment(undefined, older)).toBe(older)
  expect(latestPayment(undefined, null)).toBeUndefined()
})

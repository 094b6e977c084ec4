import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { expect, test } from 'vitest'
import { latest } from './details-api.ts'

const state = (updatedAt: string, status: string) => ({ updatedAt, status }) as DashboardPayment
const older = state('2026-11-20T09:30:00.000Z', 'COMPLETED')
const newer = state('2026-11-20T09:30:00.001Z', 'REFUNDED')

test('[DETAIL-12] of what list and details know, the later is shown', () => {
  expect(latest(older, newer)).toBe(newer)
  expect(latest(newer, older)).toBe(newer)
})

test('what only one of them knows is shown, and what none knows is not', () => {
  expect(latest(older, undefined)).toBe(older)
  expect(latest(undefined, older)).toBe(older)
  expect(latest(undefined, null)).toBeUndefined()
})

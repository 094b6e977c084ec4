import { expect, test } from 'vitest'
import { navigationEntries } from './entries.ts'
import { isActiveEntry } from './navigation.tsx'

test('[R-06] the dashboard entry is active only at exactly /app', () => {
  expect(isActiveEntry('/app', '/app')).toBe(true)
  expect(isActiveEntry('/app', '/app/')).toBe(true)
  expect(isActiveEntry('/app', '/app/payments')).toBe(false)
})
test('[SHELL-13] the other entries are active by the prefix of the path', () => {
  expect(isActiveEntry('/app/applications', '/app/applications/manage/app_1')).toBe(true)
  expect(isActiveEntry('/app/payments', '/app/payments')).toBe(true)
  expect(isActiveEntry('/app/payments', '/app/paymentsx')).toBe(false)
})
test('[R-39] invoices have no entry, and no entry is active on their page', () => {
  expect(navigationEntries.filter(({ to }) => isActiveEntry(to, '/app/invoices'))).toEqual([])
})

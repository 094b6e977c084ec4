import { expect, test } from 'vitest'
import { entries, isActive } from './navigation.tsx'

test('[R-06] the dashboard entry is active only at exactly /app', () => {
  expect(isActive('/app', '/app')).toBe(true)
  expect(isActive('/app', '/app/')).toBe(true)
  expect(isActive('/app', '/app/payments')).toBe(false)
})
test('[SHELL-13] the others are active by path prefix', () => {
  expect(isActive('/app/applications', '/app/applications/manage/app_1')).toBe(true)
  expect(isActive('/app/payments', '/app/payments')).toBe(true)
  expect(isActive('/app/payments', '/app/paymentsx')).toBe(false)
})
test('[R-39] invoices have no entry, and none is lit on their page', () => {
  expect(entries.filter(({ to }) => isActive(to, '/app/invoices'))).toEqual([])
})

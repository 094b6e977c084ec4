import { expect, test } from 'vitest'
import { dashboardAddress } from './return-address.ts'

test.each([
  '/app',
  '/app/payments',
  '/app/payments?payment=pay_1&status=FAILED',
  '/app/applications/manage/app_1?tab=webhooks',
  '/invitation',
])('%s is an address to return to', (address) => expect(dashboardAddress(address)).toBe(address))

test.each([
  null,
  '',
  '/',
  '/application',
  '/auth/signin',
  'https://elsewhere.example/app',
  '//elsewhere.example/app',
  String.raw`\\elsewhere.example\app`,
  '/app/../auth/signin',
  'javascript:alert(1)//app',
  'http://[',
])('the dashboard opens in place of %s', (address) => expect(dashboardAddress(address)).toBe('/app'))

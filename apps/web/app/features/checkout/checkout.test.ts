import { statusReasons } from '@muripo/contract/payments'
import { expect, test } from 'vitest'
import { failureText } from './messages.ts'
import { refreshOf, waitOf } from './refresh.ts'

test('the waiting page looks again by itself', () => {
  expect(refreshOf({ stage: 'waiting', continueUrl: null })).toBe('3')
})
test('a paid page goes on to the shop, if the shop gave an address', () => {
  expect(refreshOf({ stage: 'completed', continueUrl: 'https://shop.example/?a=1' })).toBe(
    '5;url=https://shop.example/?a=1',
  )
  expect(refreshOf({ stage: 'completed', continueUrl: null })).toBeNull()
})
test.each(['choose', 'refused', 'cancelled', 'expired', 'refunded', 'under_review'] as const)(
  'the page stays still: %s',
  (stage) => {
    expect(refreshOf({ stage, continueUrl: 'https://shop.example' })).toBeNull()
  },
)
test('a page that was refused for now comes again by itself, and no other does', () => {
  const refused = (status: number, data: unknown) => ({ status, statusText: '', internal: false, data })
  expect(waitOf(refused(429, { waitSeconds: 7 }))).toBe('7')
  expect(waitOf(refused(404, null))).toBeNull()
  expect(waitOf(new Error('broken'))).toBeNull()
})
test('each reason for a failure is a sentence without jargon', () => {
  for (const reason of [...statusReasons, null]) expect(failureText(reason)).toMatch(/^[A-Z][^_]+\.$/)
})

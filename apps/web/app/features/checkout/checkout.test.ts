import { statusReasons } from '@muripo/contract/payments'
import { expect, test } from 'vitest'
import { lastMethodIn } from './last-method.ts'
import { codeGroups, failureText, timeText } from './messages.ts'
import { refreshOf, waitOf } from './refresh.ts'

test('the waiting page looks again by itself', () => {
  expect(refreshOf({ stage: 'waiting', methods: [], continueUrl: null })).toBe('3')
})
test('a paid page goes on to the shop, if the shop gave an address', () => {
  expect(refreshOf({ stage: 'completed', methods: [], continueUrl: 'https://shop.example/?a=1' })).toBe(
    '5;url=https://shop.example/?a=1',
  )
  expect(refreshOf({ stage: 'completed', methods: [], continueUrl: null })).toBeNull()
})
test.each(['choose', 'refused', 'cancelled', 'expired', 'refunded', 'under_review'] as const)(
  'the page stays still: %s',
  (stage) => {
    expect(refreshOf({ stage, methods: [], continueUrl: 'https://shop.example' })).toBeNull()
  },
)
test('a page that was refused for now comes again by itself, and no other does', () => {
  const refused = (status: number, data: unknown) => ({ status, statusText: '', internal: false, data })
  expect(waitOf(refused(429, { waitSeconds: 7 }))).toBe('7')
  expect(waitOf(refused(404, null))).toBeNull()
  expect(waitOf(new Error('broken'))).toBeNull()
})
test('the choice looks again while no provider can be reached', () => {
  const methods = [false, true].map((isDown) => ({ method: 'visa', needsPhone: false, isDown }) as const)
  const refresh = (offered: readonly (typeof methods)[number][]) =>
    refreshOf({ stage: 'choose', methods: offered, continueUrl: null })
  expect(refresh(methods)).toBeNull()
  expect(refresh(methods.filter(({ isDown }) => isDown))).toBe('10')
})
test('a page that waits for the payer’s step looks again, less often than one that waits for a phone', () => {
  expect(refreshOf({ stage: 'action', methods: [], continueUrl: null })).toBe('5')
})
test('each reason for a failure is a sentence without jargon, and names no phone where none was asked', () => {
  for (const reason of [...statusReasons, null]) {
    expect(failureText(reason, true)).toMatch(/^[A-Z][^_]+\.$/)
    expect(failureText(reason, false)).toMatch(/^[A-Z][^_]+\.$/)
    expect(failureText(reason, false)).not.toMatch(/phone|PIN|wallet/)
  }
})
test.each([
  ['701234567', ['701', '234', '567']],
  ['70123456', ['701', '234', '56']],
  ['7012345', ['7012', '345']],
  ['70123456781', ['701', '234', '567', '81']],
  ['7012', ['7012']],
  ['AB', ['AB']],
  ['', []],
])('a code is read in groups: %s', (code, groups) => {
  expect(codeGroups(code)).toEqual(groups)
})
test.each([
  [0, 'less than a minute'],
  [59, 'less than a minute'],
  [60, '1 minute'],
  [119, '1 minute'],
  [599, '9 minutes'],
])('%i seconds are left: %s', (seconds, text) => {
  expect(timeText(seconds)).toBe(text)
})
test.each([
  ['payer_method=innbucks', 'innbucks'],
  ['a=b; payer_method=ecocash; c=d', 'ecocash'],
  ['other_payer_method=ecocash', undefined],
  ['payer_method=<b>', undefined],
  [null, undefined],
])('the last method in the cookies %s', (cookies, method) => {
  expect(lastMethodIn(cookies)).toBe(method)
})

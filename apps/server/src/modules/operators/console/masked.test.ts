import { expect, test } from 'vitest'
import { maskedText, maskedTexts } from './masked.ts'

test.each([
  ['Call tariro@example.co.zw.', 'Call t•••@example.co.zw.'],
  ['on 0771 234 567 or +263771234567', 'on 077 *** 4567 or 077 *** 4567'],
  ['from 41.220.12.3.', 'from 41.220.•••.'],
  ['from 2001:db8:7::1', 'from 2001:db8:•••'],
])('%s is masked', (text, masked) => {
  expect(maskedText(text)).toBe(masked)
})

test.each([
  '2026-11-20T08:30:00.000Z',
  'USD 1234567.50',
  'pay_01981d9e6c5d7d2f9a51f7aa60771234',
  'root@till',
  'Invoice 2026-0042 of 12:30',
])('%s names nobody and stays', (text) => {
  expect(maskedText(text)).toBe(text)
})

test('the texts in lists and objects are masked, and other values stay', () => {
  const details = { emails: ['a@b.co'], count: 3, from: { ip: '41.220.12.3' }, none: null }
  expect(maskedTexts(details)).toEqual({
    emails: ['a•••@b.co'],
    count: 3,
    from: { ip: '41.220.•••' },
    none: null,
  })
})

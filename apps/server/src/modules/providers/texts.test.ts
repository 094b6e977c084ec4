import { describe, expect, test } from 'vitest'
import { namedReason, plainText, redact } from './texts.ts'

test.each([
  ["O'Neil & Söhne (Pvt) Ltd", 'O Neil Sohne Pvt Ltd'],
  ['<script>alert(1)</script>', 'script alert 1 script'],
  ["' or 1=1--", 'or 1 1-'],
  ['../../etc/passwd', '. . etc passwd'],
  ['Order 1001, two bags', 'Order 1001, two bags'],
  ['a\r\nb\u0000c', 'a b c'],
])('a free text %j goes to the provider as %j', (text, plain) => {
  expect(plainText(text, 'Payment')).toBe(plain)
})

test('a text without a letter or digit that phones show is replaced, and a long one is cut', () => {
  expect(plainText('商店', 'Muripo')).toBe('Muripo')
  expect(plainText('--- ...', 'Payment')).toBe('Payment')
  expect(plainText('x'.repeat(500), 'Payment')).toHaveLength(100)
})

describe('reasons', () => {
  test.each([
    ['Insufficient balance', 'insufficient_funds'],
    ['INSUFFICIENT FUNDS', 'insufficient_funds'],
    ['Wrong PIN entered', 'wrong_pin'],
    ['You entered an incorrect pin', 'wrong_pin'],
    ['Invalid EcoCash PIN', 'wrong_pin'],
    ['Transaction limit exceeded', 'limit_exceeded'],
    ['Subscriber is barred', 'barred'],
    ['Request timed out', 'expired'],
    ['Prompt expired, no response from the subscriber', 'expired'],
    ['Cancelled by the subscriber', 'user_cancelled'],
    ['Transaction declined by customer', 'user_cancelled'],
    ['Shopping basket invalid', null],
    ['Declined', null],
    [null, null],
  ])('%j: %s', (sentence, reason) => {
    expect(namedReason(sentence)).toBe(reason)
  })

  test('are read in under 50 ms from a sentence of 250,000 characters', () => {
    const sentence = 'wrong '.repeat(40_000)
    const before = process.cpuUsage()
    expect(namedReason(sentence)).toBeNull()
    expect(namedReason(`Wrong PIN. ${sentence}`)).toBe('wrong_pin')
    expect(redact(sentence)).toHaveLength(160)
    expect(process.cpuUsage(before).user).toBeLessThan(50_000)
  })
})

test('a stored text of a provider contains neither number nor PIN', () => {
  expect(redact('PIN 0000 of 263771000001 is wrong')).toBe('PIN **** of **** is wrong')
})

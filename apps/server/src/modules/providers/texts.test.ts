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

  test('are read from the first 500 characters of a sentence: the time of the patterns grows with its square', () => {
    const sentence = 'wrong '.repeat(83)
    expect(namedReason(`${sentence}PIN`)).toBeNull()
    expect(namedReason(`Wrong PIN. ${sentence.repeat(500)}`)).toBe('wrong_pin')
    expect(redact(sentence.repeat(500))).toHaveLength(160)
  })
})

test('a stored text of a provider contains neither number nor PIN', () => {
  expect(redact('PIN 0000 of 263771000001 is wrong')).toBe('PIN **** of **** is wrong')
})

import { expect, test } from 'vitest'
import { plainText } from './bodies.ts'

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

import { expect, test } from 'vitest'
import { beginsAsPdf, PDF_HEAD_BYTES } from './head.ts'

const of = (text: string) => Buffer.from(text, 'latin1')

test.each([
  ['%PDF-1.7', true],
  ['\r\n%PDF-1.7', true],
  ['\xef\xbb\xbf%PDF-1.7', true],
  [`${' '.repeat(1024)}%PDF-`, true],
  [`${' '.repeat(1025)}%PDF-`, false],
  ['x%PDF-1.7', false],
  ['\n\xef\xbb\xbf%PDF-1.7', false],
  ['\xef\xbb%PDF-1.7', false],
  ['%pdf-1.7', false],
  ['\0%PDF-', false],
])('%j begins as a PDF: %s', (text, expected) => {
  expect(beginsAsPdf(of(text))).toBe(expected)
})

test('no decision changes with further bytes', () => {
  for (const text of ['\xef\xbb\xbf\r\n%PDF-1.7', `${' '.repeat(1024)}%PDF-1.7`, '\xef\xbb\xbf x']) {
    const bytes = of(text)
    const whole = beginsAsPdf(bytes)
    for (let end = 0; end < Math.min(bytes.length, PDF_HEAD_BYTES); end += 1)
      expect([null, whole]).toContain(beginsAsPdf(bytes.subarray(0, end)))
  }
})

import fc from 'fast-check'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { describe, expect, test } from 'vitest'
import { toE164 } from './phone.ts'

describe('a phone number', () => {
  test.each([
    ['0771234567', '+263771234567'],
    ['077 123 4567', '+263771234567'],
    ['+263 77 123 4567', '+263771234567'],
    ['263771234567', '+263771234567'],
    ['0242 700000', '+263242700000'],
    ['+27 82 123 4567', '+27821234567'],
  ])('reads %s as %s', (text, expected) => {
    expect(toE164(text)).toBe(expected)
  })

  test.each([
    '',
    '0',
    '12345',
    'call me',
    'tel 0771234567',
    '0771234567 ext 5',
    '+999 123 456 789',
    '077123456789',
  ])('refuses "%s"', (text) => {
    expect(toE164(text)).toBeNull()
  })

  test('of a common form is what the library returns', () => {
    const digits = fc.array(fc.nat({ max: 9 }), { minLength: 8, maxLength: 8 })
    fc.assert(
      fc.property(digits, (rest) => {
        const text = `+2637${rest.join('')}`
        const number = parsePhoneNumberFromString(text, { extract: false })
        expect(toE164(text)).toBe(number?.isValid() ? number.number : null)
      }),
      { numRuns: 2000 },
    )
  })
})

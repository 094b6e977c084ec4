import { expect, test } from 'vitest'
import { digitsOf } from './digits.ts'
import { newPasswordErrors } from './new-password-rules.ts'

const complete = { otp: '012345', newPassword: 'longenough', confirmPassword: 'longenough' }

test('a complete form holds', () => expect(newPasswordErrors(complete)).toEqual({}))

test.each([
  ['[R-18] an empty code', { otp: '' }, { otp: 'OTP is required' }],
  ['[SETPW-03] five digits', { otp: '12345' }, { otp: 'OTP must be 6 digits' }],
  ['[SETPW-03] seven digits', { otp: '1234567' }, { otp: 'OTP must be 6 digits' }],
  ['[SETPW-03] letters', { otp: '12345a' }, { otp: 'OTP must be 6 digits' }],
  [
    '[SETPW-04] an empty password',
    { newPassword: '', confirmPassword: '' },
    { newPassword: 'New password is required' },
  ],
  [
    '[SETPW-05] a short password',
    { newPassword: '1234567', confirmPassword: '1234567' },
    { newPassword: 'Password must be at least 8 characters' },
  ],
  [
    '[SETPW-06] another confirmation',
    { confirmPassword: 'longenougH' },
    { confirmPassword: 'Passwords do not match' },
  ],
  ['[SETPW-06] no confirmation', { confirmPassword: '' }, { confirmPassword: 'Passwords do not match' }],
])('%s', (_, change, errors) => {
  expect(newPasswordErrors({ ...complete, ...change })).toEqual(errors)
})

test.each([
  ['123456', '123456'],
  [' 123-456\n', '123456'],
  ['Your code is 0427 11.', '042711'],
  ['12345678', '123456'],
  ['none', ''],
])('[OTP-02] [OTP-03] of %j a code field takes %j', (text, digits) => expect(digitsOf(text)).toBe(digits))

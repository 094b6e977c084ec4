import { compiledTexts } from '@muripo/locales/catalogues'
import { translatorOf } from '@muripo/locales/translator'
import { describe, expect, test } from 'vitest'
import type { SignUpValues } from '../../api/create-account.ts'
import { englishText } from '../../lib/forms.ts'
import { digitsOf, documentChoices, newPasswordErrors, pdfError, signUpErrors } from './auth-forms.ts'

const t = translatorOf(await compiledTexts('auth', 'en'))
const filledIn = { otp: '012345', newPassword: 'longenough', confirmPassword: 'longenough' }

test('a complete form has no error', () => expect(newPasswordErrors(filledIn, englishText)).toEqual({}))

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
  expect(newPasswordErrors({ ...filledIn, ...change }, englishText)).toEqual(errors)
})

test.each([
  ['123456', '123456'],
  [' 123-456\n', '123456'],
  ['Your code is 0427 11.', '042711'],
  ['12345678', '123456'],
  ['none', ''],
])('[OTP-02] [OTP-03] the digits of %j are %j', (text, digits) => expect(digitsOf(text)).toBe(digits))

const pdf = new File(['%PDF-1.4'], 'id.pdf', { type: 'application/pdf' })
const complete: SignUpValues = {
  accountType: 'business',
  fullname: 'Tariro Moyo',
  email: 'tariro@example.co.zw',
  password: 'longenough',
  phonenumber: '077 123 4567',
  identificationDocumentType: 'tax_id',
  document: pdf,
}

test('a complete form has no error', () => expect(signUpErrors(complete, englishText)).toEqual({}))

test.each([
  ['[SIGNUP-10]', 'fullname', { fullname: ' ' }, 'Full name is required'],
  ['[SIGNUP-11]', 'email', { email: '' }, 'Email is required'],
  ['[SIGNUP-12]', 'email', { email: 'tariro@example' }, 'Please enter a valid email'],
  ['[SIGNUP-13]', 'password', { password: '' }, 'Password is required'],
  ['[SIGNUP-14]', 'password', { password: '1234567' }, 'Password must be at least 8 characters'],
  ['[SIGNUP-15]', 'phonenumber', { phonenumber: '' }, 'Phone number is required'],
  ['[SIGNUP-16]', 'accountType', { accountType: '' as 'business' }, 'Please select an account type'],
  [
    '[SIGNUP-17]',
    'identificationDocumentType',
    { identificationDocumentType: '' as const },
    'Please select a document type',
  ],
  ['[SIGNUP-18]', 'document', { document: null }, 'Please upload your identification document'],
])('%s %s', (_, field, change, message) => {
  expect(signUpErrors({ ...complete, ...change }, englishText)).toEqual({ [field]: message })
})

describe('the document', () => {
  test('[SIGNUP-19] must be a PDF', () => {
    expect(pdfError({ name: 'id.png', type: 'image/png', size: 9 })?.message).toBe(
      'Only PDF files are allowed',
    )
    expect(pdfError({ name: 'id.pdf', type: '', size: 9 })).toBeNull()
  })
  test('[SIGNUP-20] [R-03] must be smaller than 10485760 bytes', () => {
    expect(pdfError({ name: 'id.pdf', type: 'application/pdf', size: 10_485_760 })?.message).toBe(
      'File size must be less than 10MB',
    )
    expect(pdfError({ name: 'id.pdf', type: 'application/pdf', size: 10_485_759 })).toBeNull()
  })
  test('[SIGNUP-07] [SIGNUP-08] has the types of the account', () => {
    expect(documentChoices('individual', t).map(({ value }) => value)).toEqual([
      'passport',
      'national_id',
      'driver_license',
    ])
    expect(documentChoices('business', t).map(({ value }) => value)).toEqual([
      'certificate_of_incorporation',
      'tax_id',
    ])
  })
})

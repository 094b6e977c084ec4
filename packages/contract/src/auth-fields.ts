import { allDocumentTypes } from './document-types.ts'
import { accountTypes } from './enums.ts'
import {
  choiceField,
  emailField,
  errorsOf,
  type Field,
  type FieldError,
  isOneOf,
  isSamePassword,
  nameField,
  newPasswordField,
  otpField,
  phoneField,
  presentedPasswordField,
} from './fields.ts'

export const accountFieldTexts = {
  passwordMissing: 'Password is required',
  currentPasswordMissing: 'Current password is required',
  newPasswordMissing: 'New password is required',
  fullNameMissing: 'Full name is required',
  phoneMissing: 'Phone number is required',
  accountTypeMissing: 'Please select an account type',
  documentTypeMissing: 'Please select a document type',
  documentMissing: 'Please upload your identification document',
  documentNotPdf: 'Only PDF files are allowed',
  documentTooLarge: 'File size must be less than 10MB',
  passwordsDiffer: 'Passwords do not match',
  passwordUnchanged: 'Please choose a password other than the current one',
} as const
export const accountFieldError = errorsOf(accountFieldTexts)

export const signInFields = {
  email: emailField,
  password: presentedPasswordField(accountFieldError('passwordMissing')),
} as const satisfies Record<string, Field>

export const forgotPasswordFields = { email: emailField } as const satisfies Record<string, Field>

export const setNewPasswordFields = {
  otp: otpField,
  newPassword: newPasswordField(accountFieldError('newPasswordMissing')),
} as const satisfies Record<string, Field>

/** The fields are in the order of the form. */
export const changePasswordFields = {
  currentPassword: presentedPasswordField(accountFieldError('currentPasswordMissing')),
  newPassword: newPasswordField(accountFieldError('newPasswordMissing')),
} as const satisfies Record<string, Field>

/** The error of a new password that equals the old one. */
export const samePasswordError = (
  passwords: Record<keyof typeof changePasswordFields, string>,
): FieldError | null =>
  isSamePassword(passwords.currentPassword, passwords.newPassword)
    ? accountFieldError('passwordUnchanged')
    : null

/** The form of a person who joins a team by invitation. */
export const joinFields = {
  fullname: nameField(200, accountFieldError('fullNameMissing')),
  password: newPasswordField(accountFieldError('passwordMissing')),
} as const satisfies Record<string, Field>

/** The fields are in the order of the form, so that the first error is the topmost. */
export const signUpFields = {
  accountType: choiceField((type) =>
    isOneOf(accountTypes, type) ? null : accountFieldError('accountTypeMissing'),
  ),
  fullname: nameField(200, accountFieldError('fullNameMissing')),
  email: emailField,
  phonenumber: phoneField(accountFieldError('phoneMissing')),
  password: newPasswordField(accountFieldError('passwordMissing')),
  identificationDocumentType: choiceField((type) =>
    isOneOf(allDocumentTypes, type) ? null : accountFieldError('documentTypeMissing'),
  ),
} as const satisfies Record<string, Field>

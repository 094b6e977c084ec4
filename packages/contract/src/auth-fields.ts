import { accountTypes, allDocumentTypes } from './enums.ts'
import {
  choiceField,
  emailField,
  type Field,
  isOneOf,
  nameField,
  newPasswordField,
  otpField,
  presentedPasswordField,
  textField,
} from './fields.ts'

export const signInFields = {
  email: emailField,
  password: presentedPasswordField('Password is required'),
} as const satisfies Record<string, Field>

export const forgotPasswordFields = { email: emailField } as const satisfies Record<string, Field>

export const setNewPasswordFields = {
  otp: otpField,
  newPassword: newPasswordField('New password is required'),
} as const satisfies Record<string, Field>

/** The fields are in the order of the form, so that the first error is the topmost. */
export const signUpFields = {
  accountType: choiceField((type) => (isOneOf(accountTypes, type) ? null : 'Please select an account type')),
  fullname: nameField(200, 'Full name is required'),
  email: emailField,
  phonenumber: textField(32, 'Phone number is required'),
  password: newPasswordField('Password is required'),
  identificationDocumentType: choiceField((type) =>
    isOneOf(allDocumentTypes, type) ? null : 'Please select a document type',
  ),
} as const satisfies Record<string, Field>

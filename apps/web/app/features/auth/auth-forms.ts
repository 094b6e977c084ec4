import { accountFieldError, setNewPasswordFields, signUpFields } from '@muripo/contract/auth-fields'
import { OTP_LENGTH, PDF_MAX_BYTES } from '@muripo/contract/constants'
import { documentTypes } from '@muripo/contract/document-types'
import type { AccountType } from '@muripo/contract/enums'
import type { FieldError } from '@muripo/contract/fields'
import type { SignUpValues } from '../../api/create-account.ts'
import { type FieldText, fieldErrors } from '../../lib/forms.ts'
import type { AuthText } from './text.ts'

/** The digits of a typed code, up to its length. */
export const digitsOf = (text: string): string => text.replace(/\D/g, '').slice(0, OTP_LENGTH)

export interface ResetValues {
  newPassword: string
  confirmPassword: string
}

export interface NewPasswordValues extends ResetValues {
  otp: string
}

const { newPassword } = setNewPasswordFields

const confirmErrors = (values: ResetValues, textOf: FieldText): Partial<Record<'confirmPassword', string>> =>
  values.confirmPassword === values.newPassword
    ? {}
    : { confirmPassword: textOf(accountFieldError('passwordsDiffer')) }

export const newPasswordErrors = (
  values: NewPasswordValues,
  textOf: FieldText,
): Partial<Record<keyof NewPasswordValues, string>> => ({
  ...fieldErrors(setNewPasswordFields, values, textOf),
  ...confirmErrors(values, textOf),
})

export const resetErrors = (
  values: ResetValues,
  textOf: FieldText,
): Partial<Record<keyof ResetValues, string>> => ({
  ...fieldErrors({ newPassword }, values, textOf),
  ...confirmErrors(values, textOf),
})

export const documentChoices = (type: AccountType, t: AuthText) =>
  documentTypes[type].map((value) => ({ value, label: t(value) }))

/** A file must be smaller than the limit. */
export function pdfError(file: Pick<File, 'name' | 'type' | 'size'>): FieldError | null {
  const isPdf = file.type === 'application/pdf' || (file.type === '' && /\.pdf$/i.test(file.name))
  if (!isPdf) return accountFieldError('documentNotPdf')
  return file.size < PDF_MAX_BYTES ? null : accountFieldError('documentTooLarge')
}

export function signUpErrors(
  values: SignUpValues,
  textOf: FieldText,
): Partial<Record<keyof SignUpValues, string>> {
  const documentError =
    values.document === null ? accountFieldError('documentMissing') : pdfError(values.document)
  return {
    ...fieldErrors(signUpFields, values, textOf),
    ...(documentError === null ? {} : { document: textOf(documentError) }),
  }
}

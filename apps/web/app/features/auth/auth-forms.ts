import { setNewPasswordFields, signUpFields } from '@muripo/contract/auth-fields'
import { OTP_LENGTH, PDF_MAX_BYTES } from '@muripo/contract/constants'
import { type AccountType, documentTypes } from '@muripo/contract/enums'
import type { SignUpValues } from '../../api/create-account.ts'
import { fieldErrors } from '../../lib/forms.ts'
import type { AuthText } from './text.ts'

/** A code as it may be typed: digits only, and no more than it has. */
export const digitsOf = (text: string): string => text.replace(/\D/g, '').slice(0, OTP_LENGTH)

export interface ResetValues {
  newPassword: string
  confirmPassword: string
}

export interface NewPasswordValues extends ResetValues {
  otp: string
}

const { newPassword } = setNewPasswordFields

const confirmErrors = (values: ResetValues, t: AuthText): Partial<Record<'confirmPassword', string>> =>
  values.confirmPassword === values.newPassword ? {} : { confirmPassword: t('passwordsDiffer') }

export const newPasswordErrors = (
  values: NewPasswordValues,
  t: AuthText,
): Partial<Record<keyof NewPasswordValues, string>> => ({
  ...fieldErrors(setNewPasswordFields, values),
  ...confirmErrors(values, t),
})

export const resetErrors = (
  values: ResetValues,
  t: AuthText,
): Partial<Record<keyof ResetValues, string>> => ({
  ...fieldErrors({ newPassword }, values),
  ...confirmErrors(values, t),
})

export const documentChoices = (type: AccountType, t: AuthText) =>
  documentTypes[type].map((value) => ({ value, label: t(value) }))

/** A file of exactly the limit is refused: it must be smaller. */
export function pdfError(file: Pick<File, 'name' | 'type' | 'size'>): string | null {
  const isPdf = file.type === 'application/pdf' || (file.type === '' && /\.pdf$/i.test(file.name))
  if (!isPdf) return 'Only PDF files are allowed'
  return file.size < PDF_MAX_BYTES ? null : 'File size must be less than 10MB'
}

export function signUpErrors(values: SignUpValues): Partial<Record<keyof SignUpValues, string>> {
  const documentError =
    values.document === null ? 'Please upload your identification document' : pdfError(values.document)
  return {
    ...fieldErrors(signUpFields, values),
    ...(documentError === null ? {} : { document: documentError }),
  }
}

import { setNewPasswordFields, signUpFields } from '@muripo/contract/auth-fields'
import { OTP_LENGTH, PDF_MAX_BYTES } from '@muripo/contract/constants'
import { type AccountType, type DocumentType, documentTypes } from '@muripo/contract/enums'
import type { SignUpValues } from '../../api/create-account.ts'
import { fieldErrors } from '../../lib/forms.ts'

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

const confirmErrors = (values: ResetValues): Partial<Record<'confirmPassword', string>> =>
  values.confirmPassword === values.newPassword ? {} : { confirmPassword: 'Passwords do not match' }

export const newPasswordErrors = (
  values: NewPasswordValues,
): Partial<Record<keyof NewPasswordValues, string>> => ({
  ...fieldErrors(setNewPasswordFields, values),
  ...confirmErrors(values),
})

export const resetErrors = (values: ResetValues): Partial<Record<keyof ResetValues, string>> => ({
  ...fieldErrors({ newPassword }, values),
  ...confirmErrors(values),
})

export const documentLabels: Readonly<Record<DocumentType, string>> = {
  passport: 'Passport',
  national_id: 'National ID',
  driver_license: 'Driver License',
  certificate_of_incorporation: 'Certificate of Incorporation',
  tax_id: 'Tax ID',
}

export const documentChoices = (type: AccountType) =>
  documentTypes[type].map((value) => ({ value, label: documentLabels[value] }))

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

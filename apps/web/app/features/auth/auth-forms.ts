import {
  type AccountType,
  type DocumentType,
  documentTypes,
  SignUp,
  setNewPassword,
} from '@muripo/contract/auth'
import { OTP_LENGTH, PDF_MAX_BYTES } from '@muripo/contract/constants'
import type { z } from 'zod'
import type { SignUpValues } from '../../api/create-account.ts'

/** A code as it may be typed: digits only, and no more than it has. */
export const digitsOf = (text: string): string => text.replace(/\D/g, '').slice(0, OTP_LENGTH)

/** The contract's own sentence for each field that does not hold: the form and the server say the same words. */
export function fieldErrors<Field extends string>(
  shape: Readonly<Record<Field, z.ZodType>>,
  values: Readonly<Record<NoInfer<Field>, unknown>>,
): Partial<Record<Field, string>> {
  const errors: Partial<Record<Field, string>> = {}
  for (const field of Object.keys(shape) as Field[]) {
    const message = shape[field].safeParse(values[field]).error?.issues[0]?.message
    if (message !== undefined) errors[field] = message
  }
  return errors
}

export interface ResetValues {
  newPassword: string
  confirmPassword: string
}

export interface NewPasswordValues extends ResetValues {
  otp: string
}

const { otp, newPassword } = setNewPassword.body.shape

const confirmErrors = (values: ResetValues): Partial<Record<'confirmPassword', string>> =>
  values.confirmPassword === values.newPassword ? {} : { confirmPassword: 'Passwords do not match' }

export const newPasswordErrors = (
  values: NewPasswordValues,
): Partial<Record<keyof NewPasswordValues, string>> => ({
  ...fieldErrors({ otp, newPassword }, values),
  ...confirmErrors(values),
})

export const resetErrors = (values: ResetValues): Partial<Record<keyof ResetValues, string>> => ({
  ...fieldErrors({ newPassword }, values),
  ...confirmErrors(values),
})

const { accountType, fullname, email, password, phonenumber, identificationDocumentType } = SignUp.shape
/** In the order of the form, so that the first error is the topmost. */
const typedFields = { accountType, fullname, email, phonenumber, password, identificationDocumentType }

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
    ...fieldErrors(typedFields, values),
    ...(documentError === null ? {} : { document: documentError }),
  }
}

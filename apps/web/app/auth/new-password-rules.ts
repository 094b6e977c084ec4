import { setNewPassword } from '@muripo/contract/auth'
import { fieldErrors } from './field-errors.ts'

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

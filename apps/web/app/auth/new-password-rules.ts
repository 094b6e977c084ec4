import { setNewPassword } from '@muripo/contract/auth'
import { fieldErrors } from './field-errors.ts'

export interface NewPasswordValues {
  otp: string
  newPassword: string
  confirmPassword: string
}

const { otp, newPassword } = setNewPassword.body.shape

export const newPasswordErrors = (
  values: NewPasswordValues,
): Partial<Record<keyof NewPasswordValues, string>> => ({
  ...fieldErrors({ otp, newPassword }, values),
  ...(values.confirmPassword === values.newPassword ? {} : { confirmPassword: 'Passwords do not match' }),
})

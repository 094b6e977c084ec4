import type { PasswordInputProps } from '@mantine/core'
import { PASSWORD_MIN_LENGTH } from '@muripo/contract/constants'
import { SecretField } from './secret-field.tsx'

/** Tells a password keeper whose password the form is about. Stands before the form's first field. */
export const PasswordOwner = ({ email }: { readonly email: string | undefined }) => (
  <input type="email" name="email" autoComplete="username" hidden readOnly value={email ?? ''} />
)

export const NewPasswordField = (field: PasswordInputProps) => (
  <SecretField
    label="New password"
    what="new password"
    description={`At least ${PASSWORD_MIN_LENGTH} characters`}
    name="newPassword"
    autoComplete="new-password"
    {...field}
  />
)

import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { PASSWORD_MIN_LENGTH } from '@muripo/contract/constants'

interface SecretFieldProps extends PasswordInputProps {
  /** The name of the value that the eye shows and hides, for screen readers. */
  readonly what: string
}

/** A field that hides its value, with an eye that the keyboard reaches too. */
export const SecretField = ({ what, description, ...field }: SecretFieldProps) => (
  <PasswordInput
    visibilityToggleFocusable
    visibilityToggleButtonProps={{ 'aria-label': `Show or hide ${what}`, size: 'lg' }}
    inputWrapperOrder={['label', 'input', 'description', 'error']}
    // The error replaces the hint.
    {...(field.error ? {} : { description })}
    {...field}
  />
)

/** The account of the form, for password managers; the first element of the form. */
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

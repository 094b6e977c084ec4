import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { PASSWORD_MIN_LENGTH } from '@muripo/contract/constants'

interface SecretFieldProps extends PasswordInputProps {
  /** What its eye shows and hides, as a screen reader says it. */
  readonly what: string
}

/** A field that hides what is typed, with an eye that the keyboard reaches too. */
export const SecretField = ({ what, description, ...field }: SecretFieldProps) => (
  <PasswordInput
    visibilityToggleFocusable
    visibilityToggleButtonProps={{ 'aria-label': `Show or hide ${what}`, size: 'lg' }}
    inputWrapperOrder={['label', 'input', 'description', 'error']}
    // Where something is wrong, the error says what the hint would.
    {...(field.error ? {} : { description })}
    {...field}
  />
)

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

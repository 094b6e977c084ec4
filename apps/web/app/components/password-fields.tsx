import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { PASSWORD_MIN_LENGTH } from '@muripo/contract/constants'
import { useCommonText } from '../lib/page-text.ts'

interface SecretFieldProps extends PasswordInputProps {
  /** The name of the eye that shows and hides the value, for screen readers. */
  readonly eyeLabel: string
}

/** A field that hides its value, with a button that shows it. */
export const SecretField = ({ eyeLabel, description, ...field }: SecretFieldProps) => (
  <PasswordInput
    visibilityToggleFocusable
    visibilityToggleButtonProps={{ 'aria-label': eyeLabel, size: 'lg' }}
    inputWrapperOrder={['label', 'input', 'description', 'error']}
    // The error replaces the hint.
    {...(field.error ? {} : { description })}
    {...field}
  />
)

/** The email address for password managers: a hidden field, which must be the first of the form. */
export const PasswordOwner = ({ email }: { readonly email: string | undefined }) => (
  <input type="email" name="email" autoComplete="username" hidden readOnly value={email ?? ''} />
)

export function NewPasswordField(field: PasswordInputProps) {
  const t = useCommonText()
  return (
    <SecretField
      label={t('newPassword')}
      eyeLabel={t('showNewPassword')}
      description={t('passwordHint', { length: PASSWORD_MIN_LENGTH })}
      name="newPassword"
      autoComplete="new-password"
      {...field}
    />
  )
}

import { PASSWORD_MIN_LENGTH } from '@muripo/contract/constants'
import { useCommonText } from '../lib/page-text.ts'
import { SecretField, type SecretFieldProps } from './ui/field.tsx'

/** The email address for password managers: a hidden field, which must be the first of the form. */
export const PasswordOwner = ({ email }: { readonly email: string | undefined }) => (
  <input type="email" name="email" autoComplete="username" hidden readOnly value={email ?? ''} />
)

export function NewPasswordField(field: Partial<SecretFieldProps>) {
  const t = useCommonText()
  return (
    <SecretField
      label={t('newPassword')}
      eyeLabel={t('showNewPassword')}
      help={t('passwordHint', { length: PASSWORD_MIN_LENGTH })}
      name="newPassword"
      autoComplete="new-password"
      {...field}
    />
  )
}

import { NewPasswordField } from '../../components/password-fields.tsx'
import { ButtonLink } from '../../components/ui/button.tsx'
import { notice } from '../../components/ui/classes.ts'
import { SecretField, type SecretFieldProps } from '../../components/ui/field.tsx'
import { paths } from '../../lib/paths.ts'
import { AuthCard, BackToSignIn } from './auth-card.tsx'
import { useAuthText } from './text.ts'

interface NewPasswordFieldsProps {
  readonly password: Partial<SecretFieldProps>
  readonly confirmation: Partial<SecretFieldProps>
}

export function NewPasswordFields({ password, confirmation }: NewPasswordFieldsProps) {
  const t = useAuthText()
  return (
    <>
      <NewPasswordField {...password} />
      <SecretField
        label={t('confirmPassword')}
        eyeLabel={t('showConfirmPassword')}
        name="confirmPassword"
        autoComplete="new-password"
        {...confirmation}
      />
    </>
  )
}

interface NoNewPasswordProps {
  readonly intro: string
  readonly text: string
  /** The label of the link to the page that sends a new link or code. */
  readonly action: string
}

/** The page of a link or a code with which no password can be set. */
export function NoNewPassword({ intro, text, action }: NoNewPasswordProps) {
  const t = useAuthText()
  return (
    <AuthCard title={t('newPasswordPage')} intro={intro}>
      <p className={notice('failure', 'above24')} role="alert">
        {text}
      </p>
      <ButtonLink to={paths.forgotPassword} block spaced>
        {action}
      </ButtonLink>
      <BackToSignIn />
    </AuthCard>
  )
}

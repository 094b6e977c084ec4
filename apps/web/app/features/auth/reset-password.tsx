import { Button } from '@mantine/core'
import type { resetPassword } from '@muripo/contract/auth'
import type { ErrorCode } from '@muripo/contract/errors'
import { useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { failureText, TRY_AGAIN } from '../../api/errors.ts'
import { SubmitButton } from '../../components/button.tsx'
import { NewPasswordField, SecretField } from '../../components/password-fields.tsx'
import { toast } from '../../components/toast.ts'
import { formProps, useForm, useSubmit } from '../../lib/forms.ts'
import { errorCode, sendPublic } from '../../lib/http.ts'
import { paths } from '../../lib/paths.ts'
import styles from './auth.module.css'
import { AuthCard, BackToSignIn } from './auth-card.tsx'
import { resetErrors } from './auth-forms.ts'

export const meta = () => [{ title: 'Set a new password · Muripo' }, { name: 'robots', content: 'noindex' }]

/** After these answers the link cannot be used again. */
const endedCodes: readonly (ErrorCode | null)[] = ['account_removed', 'reset_link_expired']

/**
 * The page that the mailed link opens. The token is in the fragment of the address: a browser sends it to no server and names it in no
 * referrer, so it is in no log.
 */
export default function ResetPassword() {
  const navigate = useNavigate()
  const { hash } = useLocation()
  const [ended, setEnded] = useState<string | null>(null)
  const form = useForm({ initialValues: { newPassword: '', confirmPassword: '' }, validate: resetErrors })

  const { running, submit } = useSubmit(async ({ newPassword }: typeof form.values) => {
    const token = hash.slice(1)
    if (token === '') {
      setEnded('This link is not complete. Please open it from the mail, or ask for a new one')
      return
    }
    const result = await sendPublic<typeof resetPassword>('POST', '/auth/password/reset', {
      body: { token, newPassword },
    })
    if (result.error === null) {
      toast.success('Password updated. Please sign in.')
      await navigate(paths.signIn, { replace: true })
      return
    }
    const text = failureText(result, 'Failed to set new password', TRY_AGAIN)
    // The same link does not work on a second attempt.
    if (endedCodes.includes(errorCode(result))) setEnded(text)
    else toast.error(text)
  })

  if (ended !== null) return <LinkEnded text={ended} />
  return (
    <AuthCard title="Set a new password" intro="Choose a new password for your account.">
      <form className={styles.form} {...formProps(form, running, submit)}>
        <NewPasswordField {...form.getInputProps('newPassword')} />
        <SecretField
          label="Confirm password"
          what="confirm password"
          name="confirmPassword"
          autoComplete="new-password"
          {...form.getInputProps('confirmPassword')}
        />
        <SubmitButton size="lg" running={running} withLoader>
          Set new password
        </SubmitButton>
      </form>
      <BackToSignIn />
    </AuthCard>
  )
}

const LinkEnded = ({ text }: { readonly text: string }) => (
  <AuthCard title="Set a new password" intro="This page needs a link that we mail you.">
    <p className={styles.notice} role="alert">
      {text}
    </p>
    <Button component={Link} to={paths.forgotPassword} size="lg" fullWidth mt={20}>
      Get a new link
    </Button>
    <BackToSignIn />
  </AuthCard>
)

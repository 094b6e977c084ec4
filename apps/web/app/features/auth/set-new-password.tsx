import { Button } from '@mantine/core'
import type { setNewPassword } from '@muripo/contract/auth'
import { OTP_LENGTH } from '@muripo/contract/constants'
import { Link, useLocation, useNavigate } from 'react-router'
import { failureText, TRY_AGAIN } from '../../api/errors.ts'
import { SubmitButton } from '../../components/button.tsx'
import { NewPasswordField, PasswordOwner, SecretField } from '../../components/password-fields.tsx'
import { toast } from '../../components/toast.ts'
import { formProps, useForm, useSubmit } from '../../lib/forms.ts'
import { sendPublic } from '../../lib/http.ts'
import { paths } from '../../lib/paths.ts'
import type { Route } from './+types/set-new-password.ts'
import styles from './auth.module.css'
import { AuthCard, BackToSignIn } from './auth-card.tsx'
import { digitsOf, newPasswordErrors } from './auth-forms.ts'

export const meta = () => [{ title: 'Set a new password · Muripo' }, { name: 'robots', content: 'noindex' }]

export default function SetNewPassword({ params: { otpId } }: Route.ComponentProps) {
  return otpId ? <NewPasswordForm otpId={otpId} /> : <NoOtpSession />
}

const NoOtpSession = () => (
  <AuthCard title="Set a new password" intro="This page needs the code that we mail you.">
    <p className={styles.notice} role="alert">
      Invalid or missing OTP session
    </p>
    <Button component={Link} to={paths.forgotPassword} size="lg" fullWidth mt={20}>
      Get a new code
    </Button>
    <BackToSignIn />
  </AuthCard>
)

function NewPasswordForm({ otpId }: { readonly otpId: string }) {
  const navigate = useNavigate()
  const { state } = useLocation()
  const form = useForm({
    initialValues: { otp: '', newPassword: '', confirmPassword: '' },
    validate: newPasswordErrors,
  })

  const { running, submit } = useSubmit(async ({ otp, newPassword }: typeof form.values) => {
    const result = await sendPublic<typeof setNewPassword>('POST', '/auth/password/setnew/:otpId', {
      params: { otpId },
      body: { otp, newPassword },
    })
    if (result.error !== null) {
      toast.error(failureText(result, 'Failed to set new password', TRY_AGAIN))
      return
    }
    toast.success('Password updated. Please sign in.')
    await navigate(paths.signIn, { replace: true })
  })

  return (
    <AuthCard title="Set a new password" intro={`Enter the ${OTP_LENGTH}-digit code that we mailed you.`}>
      <form className={styles.form} {...formProps(form, running, submit)}>
        <PasswordOwner email={(state as { email?: string } | null)?.email} />
        <SecretField
          label="OTP"
          what="OTP"
          name="otp"
          inputMode="numeric"
          autoComplete="one-time-code"
          {...form.getInputProps('otp')}
          onChange={(event) => form.setFieldValue('otp', digitsOf(event.currentTarget.value))}
        />
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

import { TextInput, UnstyledButton } from '@mantine/core'
import type { forgotPassword } from '@muripo/contract/auth'
import { forgotPasswordFields } from '@muripo/contract/auth-fields'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { failureText, TRY_AGAIN } from '../../api/errors.ts'
import { SubmitButton } from '../../components/button.tsx'
import { toast } from '../../components/toast.ts'
import { fieldErrors, formProps, useForm, useSubmit } from '../../lib/forms.ts'
import { paths } from '../../lib/paths.ts'
import { send } from '../../session/session.ts'
import styles from './auth.module.css'
import { AuthCard, BackToSignIn } from './auth-card.tsx'

export const meta = () => [{ title: 'Forgot password · Muripo' }, { name: 'robots', content: 'noindex' }]

export default function ForgotPassword() {
  const navigate = useNavigate()
  const [mailed, setMailed] = useState(false)
  const form = useForm({
    initialValues: { email: '' },
    validate: (values) => fieldErrors(forgotPasswordFields, values),
  })

  const { running, submit } = useSubmit(async (values: typeof form.values) => {
    const result = await send<typeof forgotPassword>('POST', '/auth/password/forgot', { body: values })
    if (result.error !== null) {
      toast.error(failureText(result, 'Failed to send reset instructions', TRY_AGAIN))
      return
    }
    toast.success(result.data?.message || 'Successfully sent an OTP to your email')
    if (result.data?.otpId) {
      await navigate(paths.setNewPassword(result.data.otpId), { state: { email: values.email } })
    } else setMailed(true)
  })

  if (mailed) return <CheckYourEmail email={form.values.email} onTryAgain={() => setMailed(false)} />
  return (
    <AuthCard
      title="Forgot your password?"
      intro="Give us your email. We will mail you a code to set a new one."
    >
      <form className={styles.form} {...formProps(form, running, submit)}>
        <TextInput
          label="Email"
          type="email"
          name="email"
          autoComplete="email"
          {...form.getInputProps('email')}
        />
        <SubmitButton size="lg" running={running} withLoader>
          Send code
        </SubmitButton>
      </form>
      <BackToSignIn />
    </AuthCard>
  )
}

interface CheckYourEmailProps {
  readonly email: string
  readonly onTryAgain: () => void
}

/** Some deployments do not say where the code is to be entered; then the mail does. */
export const CheckYourEmail = ({ email, onTryAgain }: CheckYourEmailProps) => (
  <AuthCard
    title="Check your email"
    intro={`If there is an account for ${email}, a mail with the next step is on its way. Look in the spam folder too.`}
    announced
  >
    <p className={styles.below}>
      Nothing came?{' '}
      <UnstyledButton className={styles.link} onClick={onTryAgain}>
        try again
      </UnstyledButton>
    </p>
    <BackToSignIn />
  </AuthCard>
)

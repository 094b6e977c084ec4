import { Button, TextInput, UnstyledButton } from '@mantine/core'
import { useForm } from '@mantine/form'
import { forgotPassword } from '@muripo/contract/auth'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { failureText, TRY_AGAIN } from '../../api/errors.ts'
import { toast } from '../../components/toast.ts'
import { focusFirst } from '../../lib/forms.ts'
import { paths } from '../../lib/paths.ts'
import { send } from '../../session/session.ts'
import styles from './auth.module.css'
import { AuthCard, BackToSignIn } from './auth-card.tsx'
import { fieldErrors } from './auth-forms.ts'

export const meta = () => [{ title: 'Forgot password · Muripo' }, { name: 'robots', content: 'noindex' }]

export default function ForgotPassword() {
  const navigate = useNavigate()
  const [sending, setSending] = useState(false)
  const [mailed, setMailed] = useState(false)
  const form = useForm({
    initialValues: { email: '' },
    validate: (values) => fieldErrors(forgotPassword.body.shape, values),
  })

  const submit = async (values: typeof form.values) => {
    setSending(true)
    const result = await send<typeof forgotPassword>('POST', '/auth/password/forgot', { body: values })
    setSending(false)
    if (result.error !== null) {
      toast.error(failureText(result, 'Failed to send reset instructions', TRY_AGAIN))
      return
    }
    toast.success(result.data?.message || 'Successfully sent an OTP to your email')
    if (result.data?.otpId) {
      await navigate(paths.setNewPassword(result.data.otpId), { state: { email: values.email } })
    } else setMailed(true)
  }

  if (mailed) return <CheckYourEmail email={form.values.email} onTryAgain={() => setMailed(false)} />
  return (
    <AuthCard
      title="Forgot your password?"
      intro="Give us your email. We will mail you a code to set a new one."
    >
      <form
        className={styles.form}
        noValidate
        onSubmit={form.onSubmit((values) => void submit(values), focusFirst(form))}
      >
        <TextInput
          label="Email"
          type="email"
          name="email"
          autoComplete="email"
          {...form.getInputProps('email')}
        />
        <Button type="submit" size="lg" loading={sending}>
          Send code
        </Button>
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

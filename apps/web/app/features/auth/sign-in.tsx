import { Button, Checkbox, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { signIn } from '@muripo/contract/auth'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { failureText } from '../../api/errors.ts'
import { SecretField } from '../../components/password-fields.tsx'
import { toast } from '../../components/toast.ts'
import { focusFirst } from '../../lib/forms.ts'
import { sendPublic } from '../../lib/http.ts'
import { paths } from '../../lib/paths.ts'
import styles from './auth.module.css'
import { AuthCard } from './auth-card.tsx'
import { fieldErrors } from './auth-forms.ts'
import { passkeyOffer, rememberEmail, rememberedEmail } from './sign-in-state.ts'

export const meta = () => [{ title: 'Sign In · Muripo' }, { name: 'robots', content: 'noindex' }]

export default function SignIn() {
  const navigate = useNavigate()
  const [sending, setSending] = useState(false)
  const [remember, setRemember] = useState(() => rememberedEmail() !== '')
  const form = useForm({
    initialValues: { email: rememberedEmail(), password: '' },
    validate: (values) => fieldErrors(signIn.body.shape, values),
  })

  const submit = async (values: typeof form.values) => {
    setSending(true)
    const result = await sendPublic<typeof signIn>('POST', '/auth/signin', { body: values })
    setSending(false)
    if (!result.data?.otpId) {
      toast.error(failureText(result, 'Sign in failed. Please try again.'))
      return
    }
    rememberEmail(remember ? values.email.trim() : null)
    toast.success('Successfully signed in! Please check your email for OTP.')
    const { otpId, passkey } = result.data
    await navigate(paths.verifyOtp(otpId), passkey ? { state: passkeyOffer } : {})
  }

  return (
    <AuthCard title="Sign in" intro="Welcome back. We will mail you a code.">
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
        <SecretField
          label="Password"
          what="password"
          name="password"
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
        <div className={styles.row}>
          <Checkbox
            label="Remember me"
            size="md"
            name="remember"
            checked={remember}
            onChange={(event) => setRemember(event.currentTarget.checked)}
          />
          <Link to={paths.forgotPassword} className={styles.link}>
            Forgot password?
          </Link>
        </div>
        <Button type="submit" size="lg" loading={sending}>
          Sign In
        </Button>
      </form>
      <p className={styles.below}>
        New to Muripo?{' '}
        <Link to={paths.signUp} className={styles.link}>
          Create an account
        </Link>
      </p>
    </AuthCard>
  )
}

import { Checkbox, TextInput } from '@mantine/core'
import type { signIn } from '@muripo/contract/auth'
import { signInFields } from '@muripo/contract/auth-fields'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { failureText } from '../../api/errors.ts'
import { SubmitButton } from '../../components/button.tsx'
import { SecretField } from '../../components/password-fields.tsx'
import { toast } from '../../components/toast.ts'
import { fieldErrors, formProps, useForm, useSubmit } from '../../lib/forms.ts'
import { sendPublic } from '../../lib/http.ts'
import { paths } from '../../lib/paths.ts'
import styles from './auth.module.css'
import { AuthCard } from './auth-card.tsx'
import { passkeyOffer, rememberEmail, storedEmail } from './sign-in-state.ts'

export const meta = () => [{ title: 'Sign In · Muripo' }, { name: 'robots', content: 'noindex' }]

export default function SignIn() {
  const navigate = useNavigate()
  const [remember, setRemember] = useState(() => storedEmail() !== '')
  const form = useForm({
    initialValues: { email: storedEmail(), password: '' },
    validate: (values) => fieldErrors(signInFields, values),
  })

  const { running, submit } = useSubmit(async (values: typeof form.values) => {
    const result = await sendPublic<typeof signIn>('POST', '/auth/signin', { body: values })
    if (!result.data?.otpId) {
      toast.error(failureText(result, 'Sign in failed. Please try again.'))
      return
    }
    rememberEmail(remember ? values.email.trim() : null)
    toast.success('Successfully signed in! Please check your email for OTP.')
    const { otpId, passkey } = result.data
    await navigate(paths.verifyOtp(otpId), passkey ? { state: passkeyOffer } : {})
  })

  return (
    <AuthCard title="Sign in" intro="Welcome back. We will mail you a code.">
      <form className={styles.form} {...formProps(form, running, submit)}>
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
        <SubmitButton size="lg" running={running} withLoader>
          Sign In
        </SubmitButton>
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

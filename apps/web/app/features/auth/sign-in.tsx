import * as calls from 'virtual:calls/auth'
import { signInFields } from '@muripo/contract/auth-fields'
import { Link, useNavigate } from 'react-router'
import { useFailedCallText, useFieldText } from '../../api/error-texts.ts'
import { toast } from '../../components/toast.ts'
import { font, row, textLinkClass } from '../../components/ui/classes.ts'
import { Box, SecretField } from '../../components/ui/field.tsx'
import { fieldErrors, formProps, useForm, useSubmit } from '../../lib/forms.ts'
import { sendPublic } from '../../lib/http.ts'
import { paths } from '../../lib/paths.ts'
import styles from './auth.module.css'
import { AuthCard, AuthForm, EmailField } from './auth-card.tsx'
import { signInState } from './sign-in-state.ts'
import { type AuthHandle, useAuthText } from './text.ts'

export const handle: AuthHandle = { title: 'signInPage' }

export default function SignIn() {
  const navigate = useNavigate()
  const t = useAuthText()
  const fieldText = useFieldText()
  const failureText = useFailedCallText()
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: (values) => fieldErrors(signInFields, values, fieldText),
  })

  const { running, submit } = useSubmit(async (values: typeof form.values) => {
    const result = await sendPublic(calls.signIn, { body: values })
    if (!result.data?.otpId) {
      toast.error(failureText(result, t('signInFailed')))
      return
    }
    const { otpId, totp } = result.data
    toast.success(t(totp ? 'signedInApp' : 'signedIn'))
    await navigate(paths.verifyOtp(otpId), { state: signInState(values.email, result.data) })
  })

  return (
    <AuthCard title={t('signInHeading')} intro={t('signInIntro')}>
      <AuthForm {...formProps(form, running, submit)} running={running} submitLabel={t('signInButton')}>
        <EmailField {...form.getInputProps('email')} />
        <SecretField
          label={t('password')}
          eyeLabel={t('showPassword')}
          name="password"
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
        <div className={row('wrap', 'centre', 'between', 'gap16', 'rows0')}>
          {/* The specification gives it no effect. */}
          <Box label={t('rememberMe')} name="remember" />
          <Link to={paths.forgotPassword} className={textLinkClass}>
            {t('forgotPassword')}
          </Link>
        </div>
      </AuthForm>
      <p className={`${styles.below} ${font('md', 'quiet', 'centred', 'above24')}`}>
        {t('newHere')}{' '}
        <Link to={paths.signUp} className={textLinkClass}>
          {t('createAccountLink')}
        </Link>
      </p>
    </AuthCard>
  )
}

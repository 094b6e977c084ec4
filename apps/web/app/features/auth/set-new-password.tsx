import * as calls from 'virtual:calls/auth'
import { OTP_LENGTH } from '@muripo/contract/constants'
import { useLocation, useNavigate } from 'react-router'
import { useFailedCallText, useFieldText } from '../../api/error-texts.ts'
import { PasswordOwner } from '../../components/password-fields.tsx'
import { toast } from '../../components/toast.ts'
import { SecretField } from '../../components/ui/field.tsx'
import { formProps, useForm, useSubmit } from '../../lib/forms.ts'
import { sendPublic } from '../../lib/http.ts'
import { paths } from '../../lib/paths.ts'
import type { Route } from './+types/set-new-password.ts'
import { AuthCard, AuthForm, BackToSignIn } from './auth-card.tsx'
import { digitsOf, newPasswordErrors } from './auth-forms.ts'
import { NewPasswordFields, NoNewPassword } from './new-password.tsx'
import { type AuthHandle, useAuthText } from './text.ts'

export const handle: AuthHandle = { title: 'newPasswordPage' }

export default function SetNewPassword({ params: { otpId } }: Route.ComponentProps) {
  return otpId ? <NewPasswordForm otpId={otpId} /> : <NoOtpSession />
}

function NoOtpSession() {
  const t = useAuthText()
  return <NoNewPassword intro={t('needsCode')} text={t('noOtpSession')} action={t('getNewCode')} />
}

function NewPasswordForm({ otpId }: { readonly otpId: string }) {
  const navigate = useNavigate()
  const t = useAuthText()
  const fieldText = useFieldText()
  const failureText = useFailedCallText('networkError')
  const { state } = useLocation()
  const form = useForm({
    initialValues: { otp: '', newPassword: '', confirmPassword: '' },
    validate: (values) => newPasswordErrors(values, fieldText),
  })

  const { running, submit } = useSubmit(async ({ otp, newPassword }: typeof form.values) => {
    const result = await sendPublic(calls.setNewPassword, {
      params: { otpId },
      body: { otp, newPassword },
    })
    if (result.error !== null) {
      toast.error(failureText(result, t('newPasswordFailed')))
      return
    }
    toast.success(t('passwordUpdated'))
    await navigate(paths.signIn, { replace: true })
  })

  return (
    <AuthCard title={t('newPasswordPage')} intro={t('newPasswordCodeIntro', { length: OTP_LENGTH })}>
      <AuthForm {...formProps(form, running, submit)} running={running} submitLabel={t('setNewPassword')}>
        <PasswordOwner email={(state as { email?: string } | null)?.email} />
        <SecretField
          label={t('otp')}
          eyeLabel={t('showOtp')}
          name="otp"
          inputMode="numeric"
          autoComplete="one-time-code"
          {...form.getInputProps('otp')}
          onChange={(event) => form.setFieldValue('otp', digitsOf(event.currentTarget.value))}
        />
        <NewPasswordFields
          password={form.getInputProps('newPassword')}
          confirmation={form.getInputProps('confirmPassword')}
        />
      </AuthForm>
      <BackToSignIn />
    </AuthCard>
  )
}

import * as calls from 'virtual:calls/auth'
import type { ErrorCode } from '@muripo/contract/errors'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useFailedCallText, useFieldText } from '../../api/error-texts.ts'
import { toast } from '../../components/toast.ts'
import { formProps, useForm, useSubmit } from '../../lib/forms.ts'
import { errorCode, sendPublic } from '../../lib/http.ts'
import { paths } from '../../lib/paths.ts'
import { AuthCard, AuthForm, BackToSignIn } from './auth-card.tsx'
import { resetErrors } from './auth-forms.ts'
import { NewPasswordFields, NoNewPassword } from './new-password.tsx'
import { type AuthHandle, useAuthText } from './text.ts'

export const handle: AuthHandle = { title: 'newPasswordPage' }

/** The errors after which the link cannot be used again. */
const endedCodes: readonly (ErrorCode | null)[] = ['account_removed', 'reset_link_expired']

/**
 * The page that the mailed link opens. The token is in the fragment of the address: a browser sends it to no server and names it in no
 * referrer, so it is in no log.
 */
export default function ResetPassword() {
  const navigate = useNavigate()
  const t = useAuthText()
  const fieldText = useFieldText()
  const failureText = useFailedCallText('networkError')
  const { hash } = useLocation()
  const [ended, setEnded] = useState<string | null>(null)
  const form = useForm({
    initialValues: { newPassword: '', confirmPassword: '' },
    validate: (values) => resetErrors(values, fieldText),
  })

  const { running, submit } = useSubmit(async ({ newPassword }: typeof form.values) => {
    const token = hash.slice(1)
    if (token === '') {
      setEnded(t('linkIncomplete'))
      return
    }
    const result = await sendPublic(calls.resetPassword, {
      body: { token, newPassword },
    })
    if (result.error === null) {
      toast.success(t('passwordUpdated'))
      await navigate(paths.signIn, { replace: true })
      return
    }
    const text = failureText(result, t('newPasswordFailed'))
    if (endedCodes.includes(errorCode(result))) setEnded(text)
    else toast.error(text)
  })

  if (ended !== null) return <NoNewPassword intro={t('needsLink')} text={ended} action={t('getNewLink')} />
  return (
    <AuthCard title={t('newPasswordPage')} intro={t('newPasswordIntro')}>
      <AuthForm {...formProps(form, running, submit)} running={running} submitLabel={t('setNewPassword')}>
        <NewPasswordFields
          password={form.getInputProps('newPassword')}
          confirmation={form.getInputProps('confirmPassword')}
        />
      </AuthForm>
      <BackToSignIn />
    </AuthCard>
  )
}

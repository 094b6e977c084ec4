import * as calls from 'virtual:calls/auth'
import { forgotPasswordFields } from '@muripo/contract/auth-fields'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useFailedCallText, useFieldText } from '../../api/error-texts.ts'
import { toast } from '../../components/toast.ts'
import { font, textLinkClass } from '../../components/ui/classes.ts'
import { fieldErrors, formProps, useForm, useSubmit } from '../../lib/forms.ts'
import { usePageLanguage } from '../../lib/page-text.ts'
import { paths } from '../../lib/paths.ts'
import { send } from '../../session/session.ts'
import styles from './auth.module.css'
import { AuthCard, AuthForm, BackToSignIn, EmailField } from './auth-card.tsx'
import { type AuthHandle, useAuthText } from './text.ts'

export const handle: AuthHandle = { title: 'forgotPage' }

export default function ForgotPassword() {
  const navigate = useNavigate()
  const t = useAuthText()
  const fieldText = useFieldText()
  const failureText = useFailedCallText('networkError')
  const { locale } = usePageLanguage()
  const [mailed, setMailed] = useState(false)
  const form = useForm({
    initialValues: { email: '' },
    validate: (values) => fieldErrors(forgotPasswordFields, values, fieldText),
  })

  const { running, submit } = useSubmit(async (values: typeof form.values) => {
    const result = await send(calls.forgotPassword, { body: values })
    if (result.error !== null) {
      toast.error(failureText(result, t('sendingFailed')))
      return
    }
    // The server's message is in English.
    toast.success((locale === 'en' && result.data?.message) || t('codeSent'))
    if (result.data?.otpId) {
      await navigate(paths.setNewPassword(result.data.otpId), { state: { email: values.email } })
    } else setMailed(true)
  })

  if (mailed) return <CheckYourEmail email={form.values.email} onTryAgain={() => setMailed(false)} />
  return (
    <AuthCard title={t('forgotHeading')} intro={t('forgotIntro')}>
      <AuthForm {...formProps(form, running, submit)} running={running} submitLabel={t('sendCode')}>
        <EmailField {...form.getInputProps('email')} />
      </AuthForm>
      <BackToSignIn />
    </AuthCard>
  )
}

interface CheckYourEmailProps {
  readonly email: string
  readonly onTryAgain: () => void
}

/** For deployments whose answer contains no `otpId`: their email contains the link to the next page. */
export function CheckYourEmail({ email, onTryAgain }: CheckYourEmailProps) {
  const t = useAuthText()
  return (
    <AuthCard title={t('checkEmail')} intro={t('checkEmailIntro', { email })} announced>
      <p className={`${styles.below} ${font('md', 'quiet', 'centred', 'above24')}`}>
        {t('nothingCame')}{' '}
        <button type="button" className={textLinkClass} onClick={onTryAgain}>
          {t('tryAgain')}
        </button>
      </p>
      <BackToSignIn />
    </AuthCard>
  )
}

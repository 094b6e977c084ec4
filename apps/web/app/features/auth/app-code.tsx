import * as calls from 'virtual:calls/auth'
import type { Tokens } from '@muripo/contract/auth'
import { OTP_LENGTH } from '@muripo/contract/constants'
import { isRecoveryCode, otpField, secondStepField } from '@muripo/contract/fields'
import { type ReactNode, useRef, useState } from 'react'
import { useFailedCallText, useFieldText } from '../../api/error-texts.ts'
import { toast } from '../../components/toast.ts'
import { font, textLinkClass } from '../../components/ui/classes.ts'
import { CodeField } from '../../components/ui/code-field.tsx'
import { TextField } from '../../components/ui/field.tsx'
import { fieldErrors, formProps, useForm, useSubmit } from '../../lib/forms.ts'
import { errorCode, sendPublic } from '../../lib/http.ts'
import styles from './auth.module.css'
import { AuthCard, AuthForm, BackToSignIn } from './auth-card.tsx'
import { useSubmitWhenComplete } from './submit-when-complete.ts'
import { useAuthText } from './text.ts'

interface AppCodeProps {
  readonly otpId: string
  readonly onSignedIn: (tokens: Tokens) => void
  /** The other ways to confirm the sign-in. */
  readonly children: ReactNode
}

/** Asks for a code of the authenticator app, or for a recovery code in its place. A wrong one stays, with its error. */
export function AppCode({ otpId, onSignedIn, children }: AppCodeProps) {
  const t = useAuthText()
  const fieldText = useFieldText()
  const failureText = useFailedCallText()
  const [by, setBy] = useState<'otp' | 'recovery'>('otp')
  const isApp = by === 'otp'
  const form = useForm({
    initialValues: { otp: '', recovery: '' },
    validate: ({ otp, recovery }): { otp?: string; recovery?: string } => {
      if (isApp) return fieldErrors({ otp: otpField }, { otp }, fieldText)
      return isRecoveryCode(secondStepField.clean(recovery)) ? {} : { recovery: t('recoveryCodeForm') }
    },
  })
  const hasSent = useRef(false)
  const { running, submit } = useSubmit(async (values: typeof form.values) => {
    hasSent.current = true
    const otp = secondStepField.clean(values[by])
    const result = await sendPublic(calls.verifyOtp, { params: { otpId }, body: { purpose: 'signin', otp } })
    if (result.data?.authToken && result.data.refreshToken) return onSignedIn(result.data)
    const failure = failureText(result, t('codeFailed'))
    if (errorCode(result) !== 'otp_invalid') return toast.error(failure)
    form.setFieldError(by, failure)
    form.getInputNode(by)?.focus()
  })
  // A refused code is corrected digit by digit, and sent by the button.
  useSubmitWhenComplete(form.values.otp, () => isApp && !hasSent.current && submit(form.values))
  return (
    <AuthCard
      title={t('codePage')}
      intro={isApp ? t('appCodeIntro', { length: OTP_LENGTH }) : t('recoveryIntro')}
    >
      <AuthForm {...formProps(form, running, submit)} running={running} submitLabel={t('verifyCode')}>
        {isApp ? (
          <CodeField
            length={OTP_LENGTH}
            label={t('code')}
            boxLabel={(place) => t('codeDigit', { place, length: OTP_LENGTH })}
            {...form.getInputProps('otp')}
          />
        ) : (
          <TextField
            label={t('recoveryCode')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            {...form.getInputProps('recovery')}
          />
        )}
      </AuthForm>
      {children}
      <p className={`${styles.below} ${font('md', 'quiet', 'centred', 'above24')}`}>
        <button type="button" className={textLinkClass} onClick={() => setBy(isApp ? 'recovery' : 'otp')}>
          {t(isApp ? 'useRecoveryCode' : 'useAppCode')}
        </button>
      </p>
      <BackToSignIn />
    </AuthCard>
  )
}

import * as calls from 'virtual:calls/auth'
import type { Tokens } from '@muripo/contract/auth'
import { OTP_LENGTH } from '@muripo/contract/constants'
import { otpField } from '@muripo/contract/fields'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useFailedCallText, useFieldText } from '../../api/error-texts.ts'
import { toast } from '../../components/toast.ts'
import { font, textLinkClass } from '../../components/ui/classes.ts'
import { CodeField } from '../../components/ui/code-field.tsx'
import { busyProps, fieldErrors, formProps, useForm, useSubmit } from '../../lib/forms.ts'
import { sendPublic } from '../../lib/http.ts'
import { knowsPasskeys } from '../../lib/passkeys.ts'
import { paths } from '../../lib/paths.ts'
import { session } from '../../session/session.ts'
import type { Route } from './+types/verify-otp.ts'
import { AppCode } from './app-code.tsx'
import styles from './auth.module.css'
import { AuthCard, AuthForm, BackToSignIn } from './auth-card.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { asksForApp, mailedAddress, offersPasskey } from './sign-in-state.ts'
import { useSubmitWhenComplete } from './submit-when-complete.ts'
import { type AuthHandle, useAuthText } from './text.ts'

export const handle: AuthHandle = { title: 'codePage', next: paths.dashboard }

export default function VerifyOtp({ params: { otpId } }: Route.ComponentProps) {
  const t = useAuthText()
  const { state } = useLocation()
  /** The layout of the guests redirects a signed-in user. */
  const signIn = (tokens: Tokens, message: string) => {
    toast.success(message)
    session.logIn(tokens)
  }
  const passkey = offersPasskey(state) && knowsPasskeys() && (
    <PasskeyButton otpId={otpId} onSignedIn={(tokens) => signIn(tokens, t('passkeyWelcome'))} />
  )
  const step = { otpId, onSignedIn: (tokens: Tokens) => signIn(tokens, t('codeVerified')) }
  return asksForApp(state) ? (
    <AppCode {...step}>{passkey}</AppCode>
  ) : (
    <MailedCode {...step}>{passkey}</MailedCode>
  )
}

interface MailedCodeProps {
  readonly otpId: string
  readonly onSignedIn: (tokens: Tokens) => void
  /** The other ways to confirm the sign-in. */
  readonly children: ReactNode
}

function MailedCode({ otpId, onSignedIn, children }: MailedCodeProps) {
  const navigate = useNavigate()
  const t = useAuthText()
  const fieldText = useFieldText()
  const failureText = useFailedCallText()
  const { state } = useLocation()
  const form = useForm({
    initialValues: { otp: '' },
    validate: (values) => fieldErrors({ otp: otpField }, values, fieldText),
  })

  const sent = useRef('')
  const startOver = () => {
    sent.current = ''
    form.reset()
    form.getInputNode('otp')?.focus()
  }
  const { running, submit } = useSubmit(async ({ otp }: typeof form.values) => {
    sent.current = otp
    const result = await sendPublic(calls.verifyOtp, {
      params: { otpId },
      body: { purpose: 'signin', otp },
    })
    if (result.data?.authToken && result.data.refreshToken) return onSignedIn(result.data)
    toast.error(failureText(result, t('codeFailed')))
    if (result.status !== 0) startOver()
  })
  useSubmitWhenComplete(form.values.otp, () => sent.current !== form.values.otp && submit(form.values))
  const onResent = (newOtpId: string | undefined) => {
    startOver()
    if (newOtpId && newOtpId !== otpId) void navigate(paths.verifyOtp(newOtpId), { replace: true, state })
  }

  const address = mailedAddress(state)
  const intro =
    address === null
      ? t('codeIntro', { length: OTP_LENGTH })
      : t('codeIntroTo', { length: OTP_LENGTH, address })

  return (
    <AuthCard title={t('codePage')} intro={intro}>
      <AuthForm {...formProps(form, running, submit)} running={running} submitLabel={t('verifyCode')}>
        <CodeField
          length={OTP_LENGTH}
          label={t('code')}
          boxLabel={(place) => t('codeDigit', { place, length: OTP_LENGTH })}
          {...form.getInputProps('otp')}
        />
      </AuthForm>
      {children}
      <ResendCode otpId={otpId} onResent={onResent} />
      <BackToSignIn />
    </AuthCard>
  )
}

const FIRST_WAIT_SECONDS = 20
const NEXT_WAIT_SECONDS = 45

interface ResendCodeProps {
  readonly otpId: string
  /** Called with the otpId of the new code, if the answer contains one. */
  readonly onResent: (otpId: string | undefined) => void
}

export function ResendCode({ otpId, onResent }: ResendCodeProps) {
  const t = useAuthText()
  const failureText = useFailedCallText()
  const [left, restart] = useCountdown(FIRST_WAIT_SECONDS)
  const { running, submit: resend } = useSubmit<void>(async () => {
    const result = await sendPublic(calls.resendOtp, {
      params: { otpId },
      body: { purpose: 'signin' },
    })
    if (result.error !== null) {
      toast.error(failureText(result, t('resendFailed')))
      return
    }
    toast.success(t('resent'))
    restart(NEXT_WAIT_SECONDS)
    onResent(result.data?.otpId)
  })
  const isWaiting = left > 0 || running

  return (
    <p className={`${styles.below} ${font('md', 'quiet', 'centred', 'above24')}`}>
      {t('noCode')}{' '}
      <button
        type="button"
        className={textLinkClass}
        {...busyProps(isWaiting)}
        onClick={() => isWaiting || resend()}
      >
        {left > 0 ? t('resendIn', { seconds: left }) : t('resend')}
      </button>
    </p>
  )
}

const SECOND_MS = 1000

/** The remaining whole seconds. They are computed from the end time, because timers of a page in the background are delayed. */
export function useCountdown(startSeconds: number): [left: number, restart: (seconds: number) => void] {
  const [endsAt, setEndsAt] = useState(() => Date.now() + startSeconds * SECOND_MS)
  const [left, setLeft] = useState(startSeconds)
  useEffect(() => {
    const tick = () => {
      const seconds = Math.max(0, Math.ceil((endsAt - Date.now()) / SECOND_MS))
      setLeft(seconds)
      if (seconds === 0) clearInterval(timer)
    }
    const timer = setInterval(tick, SECOND_MS)
    tick()
    return () => clearInterval(timer)
  }, [endsAt])
  const restart = useCallback((seconds: number) => setEndsAt(Date.now() + seconds * SECOND_MS), [])
  return [left, restart]
}

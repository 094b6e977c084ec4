import { PinInput, UnstyledButton } from '@mantine/core'
import type { resendOtp, Tokens, verifyOtp } from '@muripo/contract/auth'
import { OTP_LENGTH } from '@muripo/contract/constants'
import { otpField } from '@muripo/contract/fields'
import { type ClipboardEvent, useCallback, useEffect, useId, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useFailedCallText, useFieldText } from '../../api/error-texts.ts'
import { toast } from '../../components/toast.ts'
import { busyProps, fieldErrors, formProps, useForm, useSubmit } from '../../lib/forms.ts'
import { sendPublic } from '../../lib/http.ts'
import { knowsPasskeys } from '../../lib/passkeys.ts'
import { paths } from '../../lib/paths.ts'
import { session } from '../../session/session.ts'
import type { Route } from './+types/verify-otp.ts'
import styles from './auth.module.css'
import { AuthCard, AuthForm, BackToSignIn } from './auth-card.tsx'
import { digitsOf } from './auth-forms.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { offersPasskey } from './sign-in-state.ts'
import { type AuthHandle, useAuthText } from './text.ts'

export const handle: AuthHandle = { title: 'codePage' }

export default function VerifyOtp({ params: { otpId } }: Route.ComponentProps) {
  const navigate = useNavigate()
  const t = useAuthText()
  const fieldText = useFieldText()
  const failureText = useFailedCallText()
  const { state } = useLocation()
  const form = useForm({
    initialValues: { otp: '' },
    validate: (values) => fieldErrors({ otp: otpField }, values, fieldText),
  })

  const startOver = () => {
    form.reset()
    form.getInputNode('otp')?.focus()
  }
  /** The layout of the guests redirects a signed-in user. */
  const signIn = (tokens: Tokens, message: string) => {
    toast.success(message)
    session.logIn(tokens)
  }
  const { running, submit } = useSubmit(async ({ otp }: typeof form.values) => {
    const result = await sendPublic<typeof verifyOtp>('POST', '/auth/verify-otp/:otpId', {
      params: { otpId },
      body: { purpose: 'signin', otp },
    })
    if (result.data?.authToken) return signIn(result.data, t('codeVerified'))
    toast.error(failureText(result, t('codeFailed')))
    if (result.status !== 0) startOver()
  })
  const onResent = (newOtpId: string | undefined) => {
    startOver()
    if (newOtpId && newOtpId !== otpId) void navigate(paths.verifyOtp(newOtpId), { replace: true, state })
  }

  return (
    <AuthCard title={t('codePage')} intro={t('codeIntro', { length: OTP_LENGTH })}>
      <AuthForm {...formProps(form, running, submit)} running={running} submitLabel={t('verifyCode')}>
        <CodeBoxes {...form.getInputProps('otp')} />
      </AuthForm>
      {offersPasskey(state) && knowsPasskeys() && (
        <PasskeyButton otpId={otpId} onSignedIn={(tokens) => signIn(tokens, t('passkeyWelcome'))} />
      )}
      <ResendCode otpId={otpId} onResent={onResent} />
      <BackToSignIn />
    </AuthCard>
  )
}

interface CodeBoxesProps {
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (value: string) => void
  /** The name of the field, for the first box: the form focuses it. */
  readonly 'data-path': string
}

/** Six boxes for six digits. Only the digits of a pasted text are used. */
export function CodeBoxes({ value, error, onChange, 'data-path': name }: CodeBoxesProps) {
  const t = useAuthText()
  const errorId = useId()
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    event.preventDefault()
    const digits = digitsOf(event.clipboardData.getData('text/plain'))
    if (digits === '') return
    onChange(digits)
    const boxes = event.currentTarget.closest('[role=group]')?.querySelectorAll('input')
    boxes?.[Math.min(digits.length, OTP_LENGTH - 1)]?.focus()
  }
  return (
    <div>
      <PinInput
        className={styles.pin}
        classNames={{ pinInput: styles.pinCell ?? '', input: styles.pinBox ?? '' }}
        length={OTP_LENGTH}
        type="number"
        size="lg"
        gap={8}
        placeholder=""
        autoFocus
        value={value}
        error={error !== undefined}
        aria-label={t('code')}
        aria-describedby={errorId}
        getInputProps={(index) => ({
          onPaste: paste,
          'aria-label': t('codeDigit', { place: index + 1, length: OTP_LENGTH }),
          'aria-invalid': error !== undefined,
          ...(index === 0 && { 'data-path': name }),
        })}
        onChange={onChange}
      />
      <p id={errorId} className={styles.error} role="alert" hidden={error === undefined}>
        {error}
      </p>
    </div>
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
    const result = await sendPublic<typeof resendOtp>('POST', '/auth/resend-otp/:otpId', {
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
    <p className={styles.below}>
      {t('noCode')}{' '}
      <UnstyledButton className={styles.link} {...busyProps(isWaiting)} onClick={() => isWaiting || resend()}>
        {left > 0 ? t('resendIn', { seconds: left }) : t('resend')}
      </UnstyledButton>
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

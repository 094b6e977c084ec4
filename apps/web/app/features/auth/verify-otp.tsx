import { PinInput, UnstyledButton } from '@mantine/core'
import type { resendOtp, Tokens, verifyOtp } from '@muripo/contract/auth'
import { OTP_LENGTH } from '@muripo/contract/constants'
import { otpField } from '@muripo/contract/fields'
import {
  type ClipboardEvent,
  type FormEvent,
  type Ref,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useFailureText, useFieldText } from '../../api/errors.ts'
import { SubmitButton } from '../../components/button.tsx'
import { toast } from '../../components/toast.ts'
import { busy } from '../../lib/forms.ts'
import { sendPublic } from '../../lib/http.ts'
import { knowsPasskeys } from '../../lib/passkeys.ts'
import { paths } from '../../lib/paths.ts'
import { session } from '../../session/session.ts'
import type { Route } from './+types/verify-otp.ts'
import styles from './auth.module.css'
import { AuthCard, BackToSignIn } from './auth-card.tsx'
import { digitsOf } from './auth-forms.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { offersPasskey } from './sign-in-state.ts'
import { type AuthHandle, useAuthText } from './text.ts'

export const handle: AuthHandle = { title: 'codePage' }

export default function VerifyOtp({ params: { otpId } }: Route.ComponentProps) {
  const navigate = useNavigate()
  const t = useAuthText()
  const fieldText = useFieldText()
  const failureText = useFailureText()
  const { state } = useLocation()
  const [otp, setOtp] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [running, setRunning] = useState(false)
  const boxes = useRef<HTMLDivElement>(null)
  const focusBoxes = () => boxes.current?.querySelector('input')?.focus()

  const change = (value: string) => {
    setOtp(value)
    setError(null)
  }
  const startOver = () => {
    change('')
    focusBoxes()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (running) return
    const invalid = otpField.error(otp)
    if (invalid !== null) {
      setError(fieldText(invalid))
      focusBoxes()
      return
    }
    setRunning(true)
    const result = await sendPublic<typeof verifyOtp>('POST', '/auth/verify-otp/:otpId', {
      params: { otpId },
      body: { purpose: 'signin', otp },
    })
    setRunning(false)
    if (!result.data?.authToken) {
      toast.error(failureText(result, t('codeFailed')))
      if (result.status !== 0) startOver()
      return
    }
    enter(result.data, t('codeVerified'))
  }
  /** The layout of the guests then leads on. */
  const enter = (tokens: Tokens, words: string) => {
    toast.success(words)
    session.logIn(tokens)
  }
  const moveOn = (newOtpId: string | undefined) => {
    startOver()
    if (newOtpId && newOtpId !== otpId) void navigate(paths.verifyOtp(newOtpId), { replace: true, state })
  }

  return (
    <AuthCard title={t('codePage')} intro={t('codeIntro', { length: OTP_LENGTH })}>
      <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
        <CodeBoxes ref={boxes} value={otp} error={error} onChange={change} />
        <SubmitButton size="lg" running={running} withLoader>
          {t('verifyCode')}
        </SubmitButton>
      </form>
      {offersPasskey(state) && knowsPasskeys() && (
        <PasskeyButton otpId={otpId} onSignedIn={(tokens) => enter(tokens, t('passkeyWelcome'))} />
      )}
      <ResendCode otpId={otpId} onResent={moveOn} />
      <BackToSignIn />
    </AuthCard>
  )
}

interface CodeBoxesProps {
  readonly ref: Ref<HTMLDivElement>
  readonly value: string
  readonly error: string | null
  readonly onChange: (value: string) => void
}

/** Six boxes for six digits. A paste fills them whatever stands around its digits. */
export function CodeBoxes({ ref, value, error, onChange }: CodeBoxesProps) {
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
        rootRef={ref}
        className={styles.pin}
        classNames={{ pinInput: styles.pinCell ?? '', input: styles.pinBox ?? '' }}
        length={OTP_LENGTH}
        type="number"
        size="lg"
        gap={8}
        placeholder=""
        autoFocus
        value={value}
        error={error !== null}
        aria-label={t('code')}
        aria-describedby={errorId}
        getInputProps={(index) => ({
          onPaste: paste,
          'aria-label': t('codeDigit', { place: index + 1, length: OTP_LENGTH }),
          'aria-invalid': error !== null,
        })}
        onChange={onChange}
      />
      <p id={errorId} className={styles.error} role="alert" hidden={error === null}>
        {error}
      </p>
    </div>
  )
}

const FIRST_WAIT_SECONDS = 20
const NEXT_WAIT_SECONDS = 45

interface ResendCodeProps {
  readonly otpId: string
  /** The otpId of the new code where the answer names one. */
  readonly onResent: (otpId: string | undefined) => void
}

export function ResendCode({ otpId, onResent }: ResendCodeProps) {
  const t = useAuthText()
  const failureText = useFailureText()
  const [left, restart] = useCountdown(FIRST_WAIT_SECONDS)
  const [sending, setSending] = useState(false)

  const isWaiting = left > 0 || sending

  const resend = async () => {
    setSending(true)
    const result = await sendPublic<typeof resendOtp>('POST', '/auth/resend-otp/:otpId', {
      params: { otpId },
      body: { purpose: 'signin' },
    })
    setSending(false)
    if (result.error !== null) {
      toast.error(failureText(result, t('resendFailed')))
      return
    }
    toast.success(t('resent'))
    restart(NEXT_WAIT_SECONDS)
    onResent(result.data?.otpId)
  }

  return (
    <p className={styles.below}>
      {t('noCode')}{' '}
      <UnstyledButton className={styles.link} {...busy(isWaiting)} onClick={() => isWaiting || void resend()}>
        {left > 0 ? t('resendIn', { seconds: left }) : t('resend')}
      </UnstyledButton>
    </p>
  )
}

const SECOND_MS = 1000

/** Whole seconds that are left; counted from the time of its end, because a page in the background skips ticks. */
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

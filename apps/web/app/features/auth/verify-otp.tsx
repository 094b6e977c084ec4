import type { Tokens, verifyOtp } from '@muripo/contract/auth'
import { OTP_LENGTH } from '@muripo/contract/constants'
import { otpField } from '@muripo/contract/fields'
import { type FormEvent, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { failureText } from '../../api/errors.ts'
import { SubmitButton } from '../../components/button.tsx'
import { toast } from '../../components/toast.ts'
import { sendPublic } from '../../lib/http.ts'
import { knowsPasskeys } from '../../lib/passkeys.ts'
import { paths } from '../../lib/paths.ts'
import { session } from '../../session/session.ts'
import type { Route } from './+types/verify-otp.ts'
import styles from './auth.module.css'
import { AuthCard, BackToSignIn } from './auth-card.tsx'
import { CodeBoxes } from './code-boxes.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { ResendCode } from './resend-code.tsx'
import { offersPasskey } from './sign-in-state.ts'

export const meta = () => [{ title: 'Enter your code · Muripo' }, { name: 'robots', content: 'noindex' }]

export default function VerifyOtp({ params: { otpId } }: Route.ComponentProps) {
  const navigate = useNavigate()
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
    const message = otpField.error(otp)
    if (message !== null) {
      setError(message)
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
      toast.error(failureText(result, 'OTP verification failed. Please try again.'))
      if (result.status !== 0) startOver()
      return
    }
    enter(result.data, 'OTP verified successfully! Welcome back.')
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
    <AuthCard
      title="Enter your code"
      intro={`We mailed you a ${OTP_LENGTH}-digit code. It is good for 10 minutes.`}
    >
      <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
        <CodeBoxes ref={boxes} value={otp} error={error} onChange={change} />
        <SubmitButton size="lg" running={running} withLoader>
          Verify code
        </SubmitButton>
      </form>
      {offersPasskey(state) && knowsPasskeys() && (
        <PasskeyButton
          otpId={otpId}
          onSignedIn={(tokens) => enter(tokens, 'Signed in with your passkey. Welcome back.')}
        />
      )}
      <ResendCode otpId={otpId} onResent={moveOn} />
      <BackToSignIn />
    </AuthCard>
  )
}

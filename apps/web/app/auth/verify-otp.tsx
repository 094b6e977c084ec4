import { Button, PinInput } from '@mantine/core'
import { verifyOtp } from '@muripo/contract/auth'
import { OTP_LENGTH } from '@muripo/contract/constants'
import { type FormEvent, useId, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { sendPublic } from '../lib/api.ts'
import { failureText } from '../lib/messages.ts'
import { paths } from '../lib/paths.ts'
import { session } from '../lib/session/session.ts'
import { IconArrowLeft } from '../ui/icons.ts'
import { toast } from '../ui/toast.ts'
import type { Route } from './+types/verify-otp.ts'
import styles from './auth.module.css'
import { AuthCard } from './auth-card.tsx'

export const meta = () => [{ title: 'Enter your code · Muripo' }, { name: 'robots', content: 'noindex' }]

const otpField = verifyOtp.body.shape.otp

export default function VerifyOtp({ params }: Route.ComponentProps) {
  const navigate = useNavigate()
  const [otp, setOtp] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [sending, setSending] = useState(false)
  const boxes = useRef<HTMLDivElement>(null)
  const errorId = useId()

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const message = otpField.safeParse(otp).error?.issues[0]?.message
    if (message !== undefined) {
      setError(message)
      boxes.current?.querySelector('input')?.focus()
      return
    }
    setSending(true)
    const result = await sendPublic<typeof verifyOtp>('POST', '/auth/verify-otp/:otpId', {
      params: { otpId: params.otpId },
      body: { purpose: 'signin', otp },
    })
    setSending(false)
    if (!result.data?.authToken) {
      return toast.error(failureText(result, 'OTP verification failed. Please try again.'))
    }
    toast.success('OTP verified successfully! Welcome back.')
    session.logIn(result.data)
    await navigate(paths.dashboard, { replace: true })
  }

  return (
    <AuthCard
      title="Enter your code"
      intro={`We mailed you a ${OTP_LENGTH}-digit code. It is good for 10 minutes.`}
    >
      <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
        <div>
          <PinInput
            rootRef={boxes}
            className={styles.pin}
            classNames={{ input: styles.pinBox ?? '' }}
            length={OTP_LENGTH}
            type="number"
            size="lg"
            gap={8}
            placeholder=""
            autoFocus
            value={otp}
            error={error !== null}
            ariaLabel="One-time code"
            role="group"
            aria-label="One-time code"
            aria-describedby={errorId}
            onChange={(value) => {
              setOtp(value)
              setError(null)
            }}
          />
          <p id={errorId} className={styles.error} role="alert" hidden={error === null}>
            {error}
          </p>
        </div>
        <Button type="submit" size="lg" loading={sending}>
          Verify code
        </Button>
      </form>
      <p className={styles.below}>
        <Link to={paths.signIn} className={styles.link}>
          <IconArrowLeft size={18} stroke={1.75} aria-hidden />
          Back to sign in
        </Link>
      </p>
    </AuthCard>
  )
}

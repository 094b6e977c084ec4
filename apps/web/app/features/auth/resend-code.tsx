import { UnstyledButton } from '@mantine/core'
import type { resendOtp } from '@muripo/contract/auth'
import { useCallback, useEffect, useState } from 'react'
import { failureText } from '../../api/errors.ts'
import { toast } from '../../components/toast.ts'
import { busy } from '../../lib/forms.ts'
import { sendPublic } from '../../lib/http.ts'
import styles from './auth.module.css'

const FIRST_WAIT_SECONDS = 20
const NEXT_WAIT_SECONDS = 45

interface ResendCodeProps {
  readonly otpId: string
  /** The otpId of the new code where the answer names one. */
  readonly onResent: (otpId: string | undefined) => void
}

export function ResendCode({ otpId, onResent }: ResendCodeProps) {
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
      toast.error(failureText(result, 'Failed to resend OTP. Please try again.'))
      return
    }
    toast.success('OTP resent successfully! Please check your email.')
    restart(NEXT_WAIT_SECONDS)
    onResent(result.data?.otpId)
  }

  return (
    <p className={styles.below}>
      No code?{' '}
      <UnstyledButton className={styles.link} {...busy(isWaiting)} onClick={() => isWaiting || void resend()}>
        {left > 0 ? `Resend code in ${left} s` : 'Resend code'}
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

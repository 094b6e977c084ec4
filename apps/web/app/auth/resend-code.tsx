import { UnstyledButton } from '@mantine/core'
import type { resendOtp } from '@muripo/contract/auth'
import { useState } from 'react'
import { sendPublic } from '../lib/api.ts'
import { failureText } from '../lib/messages.ts'
import { toast } from '../ui/toast.ts'
import styles from './auth.module.css'
import { useCountdown } from './use-countdown.ts'

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
      <UnstyledButton className={styles.link} disabled={left > 0 || sending} onClick={() => void resend()}>
        {left > 0 ? `Resend code in ${left} s` : 'Resend code'}
      </UnstyledButton>
    </p>
  )
}

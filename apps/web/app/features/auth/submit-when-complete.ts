import { OTP_LENGTH } from '@muripo/contract/constants'
import { useEffect, useEffectEvent } from 'react'

/** The time in which a reader sees the last digit, and may press the button. */
const COMPLETE_MS = 500

/** Submits the code a moment after its last digit was typed, pasted or filled in by the browser. */
export function useSubmitWhenComplete(otp: string, submit: () => void): void {
  const submitNow = useEffectEvent(submit)
  useEffect(() => {
    if (otp.length < OTP_LENGTH) return
    const timer = setTimeout(() => submitNow(), COMPLETE_MS)
    return () => clearTimeout(timer)
  }, [otp])
}

import { useCallback, useEffect, useState } from 'react'

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

import type { Clock } from './clock.ts'
import type { KeyValue } from './store.ts'

export const ACTIVITY_EVENTS = [
  'mousedown',
  'mousemove',
  'keypress',
  'scroll',
  'touchstart',
  'click',
] as const

export const LAST_ACTIVITY = 'lastActivity'
/** A moving mouse speaks a hundred times a second; the other tabs need not hear each word. */
const SHARE_EVERY_MS = 1000

/** When somebody was last active, in whichever tab of this browser. */
export function createActivity(storage: KeyValue, clock: Clock) {
  let here = 0
  let shared = 0

  const touch = () => {
    here = clock.now()
    if (here - shared < SHARE_EVERY_MS && here >= shared) return
    shared = here
    storage.setItem(LAST_ACTIVITY, String(here))
  }

  return {
    touch,
    idleMs(): number {
      const last = Math.max(here, Number(storage.getItem(LAST_ACTIVITY)) || 0)
      const idle = clock.now() - last
      if (idle >= 0) return idle
      // The machine's clock was set back: counting begins again, or nobody would ever be signed out.
      shared = 0
      touch()
      return 0
    },
  }
}

export type Activity = ReturnType<typeof createActivity>

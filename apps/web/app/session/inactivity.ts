import { eventOf } from '../lib/signals.ts'
import type { KeyValue } from '../lib/storage.ts'
import { type Clock, serverNow } from '../lib/timing.ts'
import { expiresSoon, type SessionStore } from './store.ts'

export const ACTIVITY_EVENTS = [
  'mousedown',
  'mousemove',
  'keypress',
  'scroll',
  'touchstart',
  'click',
  // An on-screen keyboard sends no keypress.
  'input',
] as const

export const LAST_ACTIVITY = 'lastActivity'
/** A mouse sends up to a hundred events a second: the other tabs do not need each of them. */
const SHARE_EVERY_MS = 1000

/** The time of the last activity in any tab of this browser. */
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
      // The machine's clock was set back: without a new start, the session would not end.
      shared = 0
      touch()
      return 0
    },
  }
}

export type Activity = ReturnType<typeof createActivity>

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

export const INACTIVITY_LIMIT_MS = 6 * MINUTE_MS
export const INACTIVITY_CHECK_MS = 30 * SECOND_MS
export const REFRESH_EVERY_MS = 5 * MINUTE_MS
export const REFRESH_IF_ACTIVE_WITHIN_MS = 4 * MINUTE_MS
export const EXPIRY_CHECK_AFTER_MS = SECOND_MS

interface EngineDeps {
  readonly store: SessionStore
  readonly activity: Activity
  readonly clock: Clock
  readonly refresh: () => Promise<boolean>
  readonly signOutInactive: () => void
  readonly warnOfExpiry: () => void
}

/** Keeps the session fresh while the user is active, and ends it when the user is not. */
export function createEngine(deps: EngineDeps) {
  const { store, activity, clock, refresh, signOutInactive, warnOfExpiry } = deps
  const signedIn = () => store.get().status === 'authenticated'

  /** Follows one signed-in period. The inactivity timer starts with it. */
  function run(target: EventTarget): () => void {
    let checkedAt = clock.now()
    const check = () => {
      checkedAt = clock.now()
      if (activity.idleMs() >= INACTIVITY_LIMIT_MS) signOutInactive()
    }
    const onActivity = () => {
      // A machine that slept has missed its checks: activity after it must not keep the session alive.
      if (clock.now() - checkedAt > INACTIVITY_CHECK_MS) check()
      if (signedIn()) activity.touch()
    }
    const keepFresh = () => {
      if (activity.idleMs() <= REFRESH_IF_ACTIVE_WITHIN_MS) void refresh()
    }

    activity.touch()
    const stops = [
      clock.every(INACTIVITY_CHECK_MS, check),
      clock.every(REFRESH_EVERY_MS, keepFresh),
      eventOf(target, ...ACTIVITY_EVENTS)(onActivity),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }

  const warnIfSoon = () => {
    const { refreshToken } = store.tokens()
    if (signedIn() && refreshToken !== null && expiresSoon(refreshToken, serverNow())) warnOfExpiry()
  }

  return {
    /** Follows the session from the load of the page on; returns a function that stops. */
    start(target: EventTarget): () => void {
      let end = signedIn() ? run(target) : null
      const callOff = end && clock.after(EXPIRY_CHECK_AFTER_MS, warnIfSoon)
      const unsubscribe = store.subscribe(() => {
        if (signedIn()) end ??= run(target)
        else {
          end?.()
          end = null
        }
      })
      return () => {
        unsubscribe()
        callOff?.()
        end?.()
      }
    },
  }
}

import * as calls from 'virtual:calls/auth'
import { useSyncExternalStore } from 'react'
import { addressOf, requestInit, type Send } from '../lib/http.ts'
import { storage } from '../lib/storage.ts'
import { browserClock } from '../lib/timing.ts'
import { type Authorised, createAuthorised, createClient } from './client.ts'
import { createActivity, createEngine } from './inactivity.ts'
import { createRefresh, type Refresh } from './refresh.ts'
import { dropReturnAddress } from './return-address.ts'
import { confirmPerson } from './step-up.ts'
import { createSessionStore, LOADING, type Session, type SessionStore, type SignOutReason } from './store.ts'

export const session: SessionStore = createSessionStore(storage)
if (typeof window !== 'undefined') {
  window.addEventListener('storage', (event) => {
    if (event.key === null || event.key === 'authToken') session.reload()
  })
  // A page in the browser's cache has missed all events.
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) session.reload()
  })
}

/** Exchanges the refresh token for new ones; an automatic caller first checks that the user is active. */
export const refresh: Refresh = createRefresh({ store: session })
export const send: Send = createClient(session, refresh, confirmPerson)
export const authorised: Authorised = createAuthorised(session, refresh, confirmPerson)

const activity = createActivity(storage, browserClock)
/** The time since the last activity in any tab. */
export const { idleMs } = activity

/** Loading until hydration, so that the server's render and the first paint agree. */
export const useSession = (): Session => useSyncExternalStore(session.subscribe, session.get, () => LOADING)

/** Changes with the end of each session: as a key it removes what belongs to the user. */
export const useEndedSessions = (): number => useSyncExternalStore(session.subscribe, session.ended, () => 0)

/** Ends the session here at once, without waiting for the server. */
export function signOutNow(reason: SignOutReason = 'signed-out'): void {
  if (reason !== 'inactive') dropReturnAddress()
  const { authToken } = session.tokens()
  if (authToken !== null) {
    fetch(addressOf(calls.signOut), { ...requestInit('POST', undefined, authToken), keepalive: true }).catch(
      () => {},
    )
  }
  session.logOut(reason)
}

/** Runs while the page is open; returns a function that stops. */
export const startSessionEngine = (warnOfExpiry: () => void): (() => void) =>
  createEngine({
    store: session,
    activity,
    clock: browserClock,
    refresh,
    signOutInactive: () => signOutNow('inactive'),
    warnOfExpiry,
  }).start(window)

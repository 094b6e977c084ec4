import type { signOut } from '@muripo/contract/auth'
import { useSyncExternalStore } from 'react'
import { addressOf, requestInit, type Send } from '../lib/http.ts'
import { paths } from '../lib/paths.ts'
import { browserClock } from '../lib/timing.ts'
import { type Authorised, createAuthorised, createClient } from './client.ts'
import { createActivity, createEngine } from './inactivity.ts'
import { createRefresh, type Refresh } from './refresh.ts'
import { createSessionStore, LOADING, type Session, type SessionStore, type SignOutReason } from './store.ts'

const nowhere = { getItem: () => null, setItem: () => {}, removeItem: () => {} }
const inBrowser = typeof window !== 'undefined'

/** On the server it stays empty: a session is known in the browser only. */
export const session: SessionStore = createSessionStore(inBrowser ? window.localStorage : nowhere)
if (inBrowser) {
  window.addEventListener('storage', (event) => {
    if (event.key === null || event.key === 'authToken') session.reload()
  })
  // A page that the browser kept aside has heard nothing of what happened meanwhile.
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) session.reload()
  })
}

/** Trades the refresh token for new ones; whoever calls it by itself first makes sure that somebody is there. */
export const refresh: Refresh = createRefresh({ store: session })
export const send: Send = createClient(session, refresh)
export const authorised: Authorised = createAuthorised(session, refresh)

const activity = createActivity(inBrowser ? window.localStorage : nowhere, browserClock)
/** How long nobody has been active, in any tab. */
export const { idleMs } = activity

/** Loading until the page has come alive, so that what the server rendered and the first paint agree. */
export const useSession = (): Session => useSyncExternalStore(session.subscribe, session.get, () => LOADING)

/** Ends the session here at once; the server is told and not waited for. */
export function signOutNow(reason: SignOutReason = 'signed-out'): void {
  const { authToken } = session.tokens()
  if (authToken !== null) {
    const path: (typeof signOut)['path'] = '/auth/signout'
    fetch(addressOf(path), { ...requestInit('POST', undefined, authToken), keepalive: true }).catch(() => {})
  }
  session.logOut(reason)
}

/** Runs for as long as the page lives; answers how to stop. */
export const startSessionEngine = (warnOfExpiry: () => void): (() => void) =>
  createEngine({
    store: session,
    activity,
    clock: browserClock,
    refresh,
    signOutInactive: () => signOutNow('inactive'),
    warnOfExpiry,
  }).start(window)

/** Where somebody goes who is signed in no more: home, and who wanted to be signed out everywhere is about to sign in again. */
export const wayOut = (session: Session): string =>
  session.status === 'unauthenticated' && session.everywhere ? paths.signIn : paths.home

import type { signOut } from '@muripo/contract/auth'
import { useSyncExternalStore } from 'react'
import { addressOf, requestInit, type Send } from '../api.ts'
import { createClient } from './client.ts'
import { createRefresh } from './refresh.ts'
import { createSessionStore, LOADING, type Session, type SessionStore } from './store.ts'

const nowhere = { getItem: () => null, setItem: () => {}, removeItem: () => {} }
const inBrowser = typeof window !== 'undefined'

/** On the server it stays empty: a session is known in the browser only. */
export const session: SessionStore = createSessionStore(inBrowser ? window.localStorage : nowhere)
if (inBrowser) {
  window.addEventListener('storage', (event) => {
    if (event.key === null || event.key === 'authToken') session.reload()
  })
}

export const send: Send = createClient(session, createRefresh({ store: session }))

/** Loading until the page has come alive, so that what the server rendered and the first paint agree. */
export const useSession = (): Session => useSyncExternalStore(session.subscribe, session.get, () => LOADING)

/** Ends the session here at once; the server is told and not waited for. */
export function signOutNow(): void {
  const { authToken } = session.tokens()
  if (authToken !== null) {
    const path: (typeof signOut)['path'] = '/auth/signout'
    fetch(addressOf(path), { ...requestInit('POST', undefined, authToken), keepalive: true }).catch(() => {})
  }
  session.logOut('signed-out')
}

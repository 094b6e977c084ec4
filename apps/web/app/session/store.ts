import { logProblem } from '../lib/log.ts'
import type { KeyValue } from '../lib/storage.ts'
import { decodeToken } from './token.ts'

export type Session =
  | { readonly status: 'loading' }
  | { readonly status: 'authenticated'; readonly user: { readonly id: string } | null }
  | { readonly status: 'unauthenticated'; readonly everywhere?: true }

export interface StoredTokens {
  readonly authToken: string | null
  readonly refreshToken: string | null
}

export type SignOutReason = 'signed-out' | 'inactive' | 'everywhere'

/** `here` is true when this tab signed out. */
type SignedOutListener = (reason: SignOutReason, here: boolean) => void

export const LOADING: Session = { status: 'loading' }
const AUTH_TOKEN = 'authToken'
const REFRESH_TOKEN = 'refreshToken'
/** Passes the reason of a sign-out to the other tabs. */
const SIGNED_OUT_FOR = 'signedOutFor'

function read(storage: KeyValue): Session {
  const token = storage.getItem(AUTH_TOKEN)
  if (!token) return { status: 'unauthenticated' }
  const payload = decodeToken(token)
  if (payload === null) logProblem('The stored session could not be read', 'malformed token')
  return { status: 'authenticated', user: payload === null ? null : { id: payload.id } }
}

/** The session in the browser's storage. It uses neither the network nor toasts. */
export function createSessionStore(storage: KeyValue) {
  let session = read(storage)
  const listeners = new Set<() => void>()
  const leaving = new Set<SignedOutListener>()

  const keep = (tokens: { authToken: string; refreshToken: string }) => {
    storage.setItem(AUTH_TOKEN, tokens.authToken)
    storage.setItem(REFRESH_TOKEN, tokens.refreshToken)
  }
  const change = (next: Session) => {
    session = next
    for (const listener of listeners) listener()
  }
  const signedOut = (reason: SignOutReason, here: boolean) => {
    change({ status: 'unauthenticated', ...(reason === 'everywhere' && { everywhere: true }) })
    for (const listener of leaving) listener(reason, here)
  }

  return {
    get: (): Session => session,
    tokens: (): StoredTokens => ({
      authToken: storage.getItem(AUTH_TOKEN),
      refreshToken: storage.getItem(REFRESH_TOKEN),
    }),
    logIn(tokens: { authToken: string; refreshToken: string }) {
      keep(tokens)
      change(read(storage))
    },
    /** Stores new tokens of the same user after a refresh. */
    renew: keep,
    logOut(reason: SignOutReason) {
      storage.setItem(SIGNED_OUT_FOR, reason)
      storage.removeItem(AUTH_TOKEN)
      storage.removeItem(REFRESH_TOKEN)
      // Two calls that fail together are one sign-out.
      if (session.status === 'authenticated') signedOut(reason, true)
    },
    /** Another tab signed in or out, or this page was restored from the browser's cache. */
    reload() {
      const next = read(storage)
      if (next.status === 'authenticated') change(next)
      else if (session.status === 'authenticated') {
        signedOut(storage.getItem(SIGNED_OUT_FOR) === 'inactive' ? 'inactive' : 'signed-out', false)
      }
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    onSignedOut(listener: SignedOutListener) {
      leaving.add(listener)
      return () => {
        leaving.delete(listener)
      }
    },
  }
}

export type SessionStore = ReturnType<typeof createSessionStore>

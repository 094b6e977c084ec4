import { logProblem } from '../lib/log.ts'
import { createListeners } from '../lib/signals.ts'
import type { KeyValue } from '../lib/storage.ts'

export type Session =
  | { readonly status: 'loading' }
  | { readonly status: 'authenticated'; readonly user: { readonly id: string } | null }
  | { readonly status: 'unauthenticated' }

export interface StoredTokens {
  readonly authToken: string | null
  readonly refreshToken: string | null
}

export type SignOutReason = 'signed-out' | 'inactive'

/** `here` is true when this tab signed out. */
type SignedOut = [reason: SignOutReason, here: boolean]

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

type Subject = string | null | undefined

/** Whether two readable sessions differ. A token that cannot be read may be of the same session: the next refresh replaces it. */
const areOthers = (one: Subject, other: Subject): boolean => Boolean(one && other) && one !== other

/** The stored session of a person for a merchant: the same after a refresh. Undefined without one, null when it cannot be read. */
function subjectIn(storage: KeyValue): Subject {
  const token = storage.getItem(AUTH_TOKEN)
  if (!token) return undefined
  const payload = decodeToken(token)
  return payload && `${payload.id} ${payload.sid ?? ''}`
}

/** The session in the browser's storage. It uses neither the network nor toasts. */
export function createSessionStore(storage: KeyValue) {
  let session = read(storage)
  let subject = subjectIn(storage)
  let ended = 0
  const changes = createListeners()
  const signOuts = createListeners<SignedOut>()
  const replacements = createListeners()

  const keep = (tokens: { authToken: string; refreshToken: string }) => {
    storage.setItem(AUTH_TOKEN, tokens.authToken)
    storage.setItem(REFRESH_TOKEN, tokens.refreshToken)
  }
  const change = (next: Session) => {
    const before = subject
    subject = subjectIn(storage)
    if (before !== undefined && subject !== before) ended += 1
    session = next
    changes.notify()
    if (areOthers(before, subject)) replacements.notify()
  }
  const signedOut = (reason: SignOutReason, here: boolean) => {
    change({ status: 'unauthenticated' })
    signOuts.notify(reason, here)
  }

  return {
    get: (): Session => session,
    /** The number of sessions that have ended on this page: what belonged to one of them must not be shown in the next. */
    ended: (): number => ended,
    /**
     * Returns a function that tells whether the stored session has become another one than this page shows: a call for one merchant must not be
     * sent with the token of the next.
     */
    watch() {
      const shown = subject
      return (): boolean => {
        return areOthers(shown, subjectIn(storage))
      }
    },
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
    subscribe: changes.subscribe,
    onSignedOut: signOuts.subscribe,
    /** Another tab has opened another session, as for another merchant of the same person. */
    onReplaced: replacements.subscribe,
  }
}

export type SessionStore = ReturnType<typeof createSessionStore>

export interface TokenPayload {
  readonly id: string
  /** The session. */
  readonly sid?: string
  /** Seconds since 1970. */
  readonly exp: number
}

/** Reads a signed token's payload without checking its signature, which only the server can. Null when it is malformed. */
export function decodeToken(token: string): TokenPayload | null {
  try {
    const [, payload = ''] = token.split('.')
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (letter) =>
      letter.charCodeAt(0),
    )
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (typeof value !== 'object' || value === null) return null
    const { id, sid, exp } = value as Record<string, unknown>
    if (typeof id !== 'string' || typeof exp !== 'number') return null
    return { id, exp, ...(typeof sid === 'string' && { sid }) }
  } catch {
    return null
  }
}

const WARN_BELOW_MS = 3600 * 1000

/** Whether less than an hour is left. An unreadable or expired token is the refresh's task. */
export function expiresSoon(token: string, nowMs: number): boolean {
  const payload = decodeToken(token)
  if (payload === null) {
    logProblem('The end of the session could not be read', 'malformed token')
    return false
  }
  const leftMs = payload.exp * 1000 - nowMs
  return leftMs > 0 && leftMs < WARN_BELOW_MS
}

export const isUsable = (token: string, nowMs: number): boolean => {
  const payload = decodeToken(token)
  return payload !== null && payload.exp * 1000 > nowMs
}

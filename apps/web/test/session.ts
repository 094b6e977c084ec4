import type { KeyValue } from '../app/lib/storage.ts'
import { createSessionStore, type SignOutReason } from '../app/session/store.ts'

/** The time of the tests of sessions. */
export const NOW = 1_800_000_000_000

/** A signed token as far as the browser reads it. */
export const tokenOf = (payload: unknown): string =>
  `h.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.s`

/** A token of a merchant that is valid for so long; an expired one for a negative time. */
export const merchantToken = (validMs: number): string =>
  tokenOf({ id: 'mer_1', exp: (NOW + validMs) / 1000 })

export const validToken = merchantToken(60_000)
export const expiredToken = merchantToken(-1000)
export const freshTokens = { authToken: merchantToken(900_000), refreshToken: merchantToken(9_000_000) }

export function memoryStorage(initial: Record<string, string> = {}): KeyValue {
  const stored = new Map(Object.entries(initial))
  return {
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => void stored.set(key, value),
    removeItem: (key) => void stored.delete(key),
  }
}

/** The store of a signed-in user, and the reasons of the sign-outs in this tab. */
export function signedInStore(refreshToken: string | null = validToken) {
  const store = createSessionStore(
    memoryStorage({ authToken: validToken, ...(refreshToken !== null && { refreshToken }) }),
  )
  const signOuts: SignOutReason[] = []
  store.onSignedOut((reason, here) => here && signOuts.push(reason))
  return { store, signOuts }
}

import { storage } from '../../lib/storage.ts'

/** The state of the history entry by which the password step tells the page of the code that the account has a passkey. */
export const passkeyOffer = { passkey: true } as const

export const offersPasskey = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'passkey' in state && state.passkey === true

const KEY = 'rememberedEmail'

/** The email address that "Remember me" stores for the next visit. */
export const storedEmail = (): string => storage.getItem(KEY) ?? ''

export function rememberEmail(email: string | null): void {
  if (email === null) storage.removeItem(KEY)
  else storage.setItem(KEY, email)
}

import { storage } from '../../lib/storage.ts'

/** The password step passes its facts about the account to the page of the code, for this visit only. */
export const passkeyOffer = { passkey: true } as const

export const offersPasskey = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'passkey' in state && state.passkey === true

const KEY = 'rememberedEmail'

/** The address that "Remember me" stores for the next visit, and nothing else. */
export const storedEmail = (): string => storage.getItem(KEY) ?? ''

export function rememberEmail(email: string | null): void {
  if (email === null) storage.removeItem(KEY)
  else storage.setItem(KEY, email)
}
